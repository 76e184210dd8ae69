import http from 'node:http';
import { execInPod } from '../../../cluster/exec.ts';
import { environment } from '../../../embedded/environment.ts';
import { readEnvelope } from '../../../engines/envelope.ts';
import { retirement } from '../../../requirements/retirement.ts';
import { holdReasons as hold } from '../../../requirements/retirement-reasons.ts';
import { defaults } from '../../../systems/gpustack/names.ts';
import { scrapeOf, serviceOfRole, type Pod } from '../../../systems/gpustack/readers.ts';
import type { Context } from '../context.ts';

/** What one read of one member came to; `idle` is an envelope that is whole and 0. */
export type MemberRead = { idle: true } | { idle: false; reason: string; why: 'busy' | 'envelope' | 'exec' };

/** Shortest time for an exec on the wall, in milliseconds: starting a process takes so long on a busy machine. */
const EXEC_FLOOR_MS = 1000;

/** Reads one member by one `pods/exec` in its `main`, over loopback, on the port of its scrape annotations. */
export async function readMember(pod: Pod, gauges: readonly string[], context: Context): Promise<MemberRead> {
  const { name, namespace = '' } = pod.metadata;
  const { faults } = context;
  let page: string;
  try {
    page = await pageOf(pod, context);
  } catch (error) {
    if (faults.has('retire-failed-read-is-idle')) return { idle: true };
    const late = (error as Error).message.includes('did not end within');
    const reason = late
      ? hold.execTimedOut(name, namespace)
      : hold.execFailed(name, namespace, causeOf(error as Error));
    return { idle: false, why: 'exec', reason };
  }
  const no = (reason: string): MemberRead => ({ idle: false, why: 'envelope', reason });
  if (Buffer.byteLength(page) > retirement.readBytes && !faults.has('retire-read-unbounded'))
    return no(hold.tooLarge(name));
  const { missing, unreadable, total } = readEnvelope(page, gauges);
  const whole = faults.has('retire-absent-is-zero') || faults.has('retire-failed-read-is-idle');
  if (unreadable.length > 0 && !faults.has('retire-failed-read-is-idle')) return no(hold.unreadable(name, unreadable));
  if (missing.length > 0 && !whole) {
    return no(missing.length === gauges.length ? hold.nothingServed(name, missing) : hold.missing(name, missing));
  }
  if (total > 0 && !faults.has('retire-busy-is-idle'))
    return { idle: false, why: 'busy', reason: hold.inFlight(name, total) };
  return { idle: true };
}

async function pageOf(pod: Pod, { client, scale, faults }: Context): Promise<string> {
  const { scheme, port } = scrapeOf(pod) ?? { scheme: 'http', port: defaults.servingPort };
  if (faults.has('retire-reads-outside')) return plainGet(pod.status?.podIP ?? '', port);
  if (faults.has('retire-reads-service')) return plainGet(await serviceAddress(pod, client), port);
  const unbounded = faults.has('retire-read-unbounded');
  const seconds = unbounded ? 10 * retirement.answerSeconds : retirement.answerSeconds;
  const bytes = unbounded ? 64 * retirement.readBytes : retirement.readBytes;
  const command = [
    'member-read',
    ...['--scheme', scheme, '--port', String(port)],
    ...['--timeout', String(seconds), '--max-bytes', String(bytes)],
  ];
  const limit = unbounded ? 10 * retirement.readSeconds : retirement.readSeconds;
  const timeoutMs = Math.max(scale.toMs(limit), EXEC_FLOOR_MS);
  const { name, namespace = '' } = pod.metadata;
  const result = await execInPod(client, namespace, name, defaults.engineContainer, command, { timeoutMs });
  if (result.code !== 0) throw new Error(`command terminated with exit code ${result.code}: ${result.stderr.trim()}`);
  return result.stdout;
}

/** For faults alone: a read from outside of the member, from the operator's own address. */
function plainGet(host: string, port: number): Promise<string> {
  const localAddress = host.startsWith('127.') ? process.env[environment.podIP] : undefined;
  const target = { host, port, path: '/metrics', agent: false, timeout: 2000, ...(localAddress && { localAddress }) };
  return new Promise((resolve, reject) => {
    const request = http.get(target, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (body += part));
      response.on('error', reject);
      response.on('end', () => resolve(body));
    });
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.on('error', reject);
  });
}

async function serviceAddress(pod: Pod, client: Context['client']): Promise<string> {
  const { labels = {}, namespace = '' } = pod.metadata;
  const name = serviceOfRole(labels['app.kubernetes.io/instance'] ?? '', labels['app.kubernetes.io/component'] ?? '');
  const { spec } = await client.get<{ spec: { clusterIP: string } }>(
    `/api/v1/namespaces/${namespace}/services/${name}`,
  );
  return spec.clusterIP;
}

/** An error without the path of its request: the reason names the member itself. */
const causeOf = ({ message }: Error): string => message.replace(/^(GET|POST) \S+: /, '');
