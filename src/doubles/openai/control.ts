import { metricsModes, type EngineControl } from '../../engines/behaviour.ts';
import type { Listener } from './listener.ts';

/** What was asked of the double since it started: how its metrics answer, whether it fails, what it does next. */
export class Control {
  #mode: NonNullable<EngineControl['metrics']> = 'normal';
  #fails = false;
  #busyAfterRead = 0;
  #stays: NodeJS.Timeout | undefined;
  /** The listener that it acts on; set once that is open. */
  door: Pick<Listener, 'open' | 'close' | 'breakHandshakes'> | undefined;

  get metrics(): NonNullable<EngineControl['metrics']> {
    return this.#mode;
  }

  /** Whether every generation is refused. */
  get fails(): boolean {
    return this.#fails;
  }

  /** Seconds of work that the next read of the gauges from the Pod brings, said once; 0 for none. */
  takeWork(): number {
    const seconds = this.#busyAfterRead;
    this.#busyAfterRead = 0;
    return seconds;
  }

  /** Does what a control asks; answers what is wrong with it, or what is to be done once it was answered. */
  async take(text: string): Promise<string | (() => void) | undefined> {
    let control: EngineControl;
    try {
      control = JSON.parse(text) as EngineControl;
    } catch {
      return 'not JSON';
    }
    const { metrics, generate, busyAfterRead, exit } = control ?? {};
    if ([metrics, generate, busyAfterRead, exit].every((asked) => asked === undefined))
      return 'expected one of metrics, generate, busyAfterRead, exit';
    if (metrics !== undefined && !metricsModes.includes(metrics))
      return `metrics: expected one of ${metricsModes.join(', ')}`;
    if (generate !== undefined && !['normal', 'fail'].includes(generate)) return 'generate: expected normal or fail';
    if (busyAfterRead !== undefined && !(busyAfterRead > 0)) return 'busyAfterRead: expected seconds above 0';
    if (exit !== undefined && !(Number.isInteger(exit) && exit >= 0 && exit < 256))
      return 'exit: expected a code from 0 to 255';
    if (generate !== undefined) this.#fails = generate === 'fail';
    if (metrics !== undefined) await this.#setMode(metrics);
    if (busyAfterRead !== undefined) this.#busyAfterRead = busyAfterRead;
    return exit === undefined ? undefined : () => process.exit(exit);
  }

  async #setMode(mode: NonNullable<EngineControl['metrics']>): Promise<void> {
    this.#mode = mode;
    this.door?.breakHandshakes(mode === 'break-tls');
    clearInterval(this.#stays);
    // Without a listener nothing would keep this process, as the engine's own threads keep a real one.
    if (mode === 'refuse') this.#stays = setInterval(() => undefined, 2 ** 30);
    if (mode === 'refuse') this.door?.close();
    else await this.door?.open();
  }
}
