import { flag, numberFlag } from '../../engines/argv.ts';
import { routingProxy } from '../../routers/routing-proxy.ts';

export interface ProxyOptions {
  port: number;
  enginePort: number;
  /** The engine listens with TLS; its certificate is not looked at. */
  tls: boolean;
}

/** Reads the proxy's flags; those that it does not know are accepted. */
export const readOptions = (argv: readonly string[]): ProxyOptions => ({
  port: numberFlag(argv, '--port', routingProxy.defaultPort),
  enginePort: numberFlag(argv, '--model-server-port', routingProxy.defaultEnginePort),
  tls: String(flag(argv, '--enable-tls') ?? '')
    .split(',')
    .includes('decoder'),
});
