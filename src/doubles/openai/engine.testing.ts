import { ENGINE_CONTROL_PATH, type EngineBehaviour, type EngineControl } from '../../engines/behaviour.ts';
import { sumGauges } from '../../engines/metrics.ts';
import { type EngineName, engines } from '../../engines/command.ts';
import { type Started, type StartOptions, start } from '../testing/bundled.ts';
import { type Exchange, exchange, freshAddress } from '../testing/wire.ts';

export interface EngineUnderTest extends Started {
  host: string;
  port: number;
  send(path: string, body?: unknown, headers?: Record<string, string>): Exchange;
  /** A completion of `tokens` tokens, one a `token_seconds` documented seconds. */
  complete(
    tokens: number,
    more?: { id?: string; stream?: boolean; kv?: number; queue?: string; tokenSeconds?: number; prompt?: string },
  ): Exchange;
  gauges(): Promise<Record<string, number | null>>;
  /** Settles once running and (ordinary) waiting have these values. */
  settled(running: number, waiting: number): Promise<void>;
  /** The status of the answer; a word is a mode of the metrics. */
  control(control: EngineControl | NonNullable<EngineControl['metrics']>): Promise<number>;
  /** Settles once every line that the engine has written so far was read here; at once where it takes no connection. */
  flushed(): Promise<void>;
  stop(): Promise<void>;
}

export interface EngineOptions extends StartOptions {
  /** Default vLLM. */
  engine?: EngineName;
  args?: string[];
  behaviour?: EngineBehaviour;
  secure?: boolean;
  port?: number;
}

/** The address from which the tests ask, as the harness does: no hook has it. */
const HARNESS = '127.0.0.9';

/** Model and switches with which each is started. */
const commands: Record<EngineName, string[]> = {
  vLLM: ['serve', 'tiny'],
  SGLang: ['-m', 'sglang.launch_server', '--model-path', 'tiny', '--enable-metrics', '--port', '8000'],
};

/** Starts an engine's double and waits until it serves. */
export async function startEngine(path: string, options: EngineOptions = {}): Promise<EngineUnderTest> {
  const { args = [], behaviour = {}, secure = false, port = 8000, engine = 'vLLM' } = options;
  const { gauges: names, logRequests } = engines[engine];
  const host = options.podIP ?? freshAddress();
  const started = start(path, [...commands[engine], '--host', '0.0.0.0', ...logRequests, ...args], {
    ...options,
    podIP: host,
    env: { ...options.env, QUIESCE_ENGINE: JSON.stringify(behaviour) },
  });
  await started.line(/Application startup complete/);
  const send: EngineUnderTest['send'] = (path, body, headers = {}) =>
    exchange({ host, port, path, body, headers, secure, from: HARNESS, method: body === undefined ? 'GET' : 'POST' });
  let marks = 0;
  const gauges = async () => sumGauges((await send('/metrics').over).body, names);
  return {
    ...started,
    host,
    port,
    send,
    gauges,
    complete: (tokens, { id, stream = true, kv, queue, tokenSeconds = 0.25, prompt = 'wait' } = {}) =>
      send(
        '/v1/completions',
        {
          model: 'tiny',
          prompt,
          stream,
          max_tokens: tokens,
          ...(id ? { rid: id } : {}),
          quiesce: { token_seconds: tokenSeconds, kv_wait_seconds: kv, waits_in: queue },
        },
        id ? { 'x-request-id': id } : {},
      ),
    settled: async (running, waiting) => {
      const deadline = performance.now() + 5000;
      for (;;) {
        const seen = await gauges();
        if (seen[names[0]] === running && seen[names[1]] === waiting) return;
        if (performance.now() > deadline) throw new Error(`gauges stay at ${JSON.stringify(seen)}`);
      }
    },
    control: async (control) =>
      (await send(ENGINE_CONTROL_PATH, typeof control === 'string' ? { metrics: control } : control).over).status,
    flushed: async () => {
      const mark = `/v1/models?${(marks += 1)}`;
      const { status } = await send(mark).over;
      if (status === 200) await started.line(new RegExp(`GET ${mark.replace('?', '\\?')} `));
    },
    stop: async () => {
      started.child.kill('SIGKILL');
      await started.exited;
    },
  };
}
