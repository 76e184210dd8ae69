import type { Exchange } from '../../../src/doubles/testing/wire.ts';
import type { Bench } from './bench.ts';

const completion = (more: object = {}) => ({ model: 'tiny', prompt: 'p', max_tokens: 3, ...more });
const short = ({ status, end, headers, body }: Exchange, named: Bench['named']) => ({
  ...{ status, end, body: named(body) },
  type: headers['content-type'],
  code: headers['x-smg-error-code'],
});

/** What a client, and an engine, see of a router: each probe answers facts that can be compared. */
export const probes: Record<string, { more?: string[]; probe: (bench: Bench) => Promise<unknown> }> = {
  'a stream and its headers': {
    probe: async ({ ask, from, engines }) => {
      const sent = { 'x-request-id': 'kept', 'x-foo': 'bar', authorization: 'Bearer t' };
      const done = await ask('/v1/completions', completion({ stream: true }), sent).over;
      const asked = [...engines.a.asked, ...engines.b.asked].at(-1);
      return {
        ...{ status: done.status, end: done.end, events: done.body.split('\n\n').length },
        done: done.body.endsWith('data: [DONE]\n\n'),
        type: done.headers['content-type'],
        id: done.headers['x-request-id'],
        engineHeader: from(done) !== 'the router',
        arrived: ['x-request-id', 'x-foo', 'authorization'].filter((name) => asked?.headers[name] !== undefined),
      };
    },
  },
  'names of a chat request': {
    probe: async ({ ask, engines }) => {
      const messages = [{ role: 'user', content: 'hello' }];
      await ask('/v1/chat/completions', { model: 'tiny', messages, max_tokens: 2 }).over;
      const body = [...engines.a.asked, ...engines.b.asked].at(-1)?.body ?? {};
      return ['max_tokens', 'max_completion_tokens'].filter((name) => body[name] !== undefined);
    },
  },
  'attempts before the start': {
    more: ['--disable-circuit-breaker'],
    probe: async ({ ask, engines: { a, b }, named }) => {
      const seen: Record<string, unknown> = {};
      for (const stream of [true, false]) {
        for (const code of [400, 404, 408, 429, 500, 501, 502, 503, 504, 0]) {
          for (const engine of [a, b]) engine.conduct = code ? { kind: 'status', code } : { kind: 'reset' };
          const before = a.asked.length + b.asked.length;
          const done = await ask('/v1/completions', completion({ stream })).over;
          const attempts = a.asked.length + b.asked.length - before;
          const { body, ...rest } = short(done, named);
          seen[`${code || 'reset'}${stream ? ' stream' : ''}`] = {
            ...rest,
            body: body.replace(/\b[AB]:/, 'X:'),
            attempts,
          };
        }
      }
      return JSON.parse(JSON.stringify(seen).replace(/http:\/\/[AB]:/g, 'http://X:')) as unknown;
    },
  },
  'one bad engine of two': {
    more: ['--disable-circuit-breaker'],
    probe: async ({ ask, engines: { a } }) => {
      a.conduct = { kind: 'status', code: 503 };
      const statuses: number[] = [];
      for (let i = 0; i < 6; i += 1)
        statuses.push((await ask('/v1/completions', completion({ stream: true })).over).status);
      return statuses.sort();
    },
  },
  'a stream that is cut after its start': {
    probe: async ({ ask, engines: { a, b } }) => {
      for (const engine of [a, b]) engine.conduct = { kind: 'cut', after: 3 };
      const done = await ask('/v1/completions', completion({ stream: true, max_tokens: 50 })).over;
      const tokens = done.body.split('data: ').length - 1;
      const again = a.asked.length + b.asked.length - 1;
      return { status: done.status, end: done.end, tokens, done: done.body.includes('[DONE]'), again };
    },
  },
  'an answer that is cut and was no stream': {
    more: ['--disable-circuit-breaker'],
    probe: async ({ ask, engines: { a, b }, named }) => {
      for (const engine of [a, b]) engine.conduct = { kind: 'cut', after: 0 };
      const done = short(await ask('/v1/completions', completion()).over, named);
      return {
        ...done,
        body: done.body.replace(/http:\/\/[AB]:/g, 'http://X:'),
        attempts: a.asked.length + b.asked.length,
      };
    },
  },
  'ten failures open the breaker': {
    more: ['--disable-retries'],
    probe: async ({ ask, engines: { a } }) => {
      a.conduct = { kind: 'status', code: 503 };
      let failures = 0;
      for (let i = 0; i < 40; i += 1) {
        if ((await ask('/v1/completions', completion()).over).status !== 200) failures += 1;
      }
      return failures;
    },
  },
  'a deletion timestamp': {
    probe: async ({ api, ask, engines: { a, b } }) => {
      const stream = ask('/v1/completions', completion({ stream: true, max_tokens: 60 }));
      await stream.until(({ body }) => body.includes(' t1'));
      const leaving = a.asked.length > 0 ? { name: 'a', engine: a, other: b } : { name: 'b', engine: b, other: a };
      api.terminate(leaving.name);
      // One round of requests to learn of it, then those that count.
      for (let i = 0; i < 8; i += 1) await ask('/v1/completions', completion()).over;
      const before = leaving.engine.asked.length;
      for (let i = 0; i < 12; i += 1) await ask('/v1/completions', completion()).over;
      const chosen = leaving.engine.asked.length - before;
      const { end, body } = await stream.over;
      return { chosen, end, tokens: body.split('data: ').length - 1, others: leaving.other.asked.length >= 12 };
    },
  },
  'nobody to send to': {
    probe: async ({ api, ask, named, until }) => {
      const own = async (path: string) => {
        const { status, body } = await ask(path).over;
        return { status, body };
      };
      const with2 = [await own('/readiness'), await own('/health'), await own('/liveness')];
      api.terminate('a');
      api.terminate('b');
      await until('no worker', async () => (await ask('/readiness').over).status === 503);
      const answers = [short(await ask('/v1/completions', completion()).over, named)];
      answers.push(short(await ask('/v1/completions', completion({ stream: true })).over, named));
      return { with2, without: [await own('/readiness'), await own('/health'), await own('/liveness')], answers };
    },
  },
  SIGTERM: {
    probe: async ({ ask, signal, until, exited }) => {
      const stream = ask('/v1/completions', completion({ stream: true, max_tokens: 60 }));
      await stream.until(({ body }) => body.includes(' t1'));
      signal();
      await until('a refusal', async () => (await ask('/liveness').over).status === 0);
      const { end, body } = await stream.over;
      return { end, done: body.includes('[DONE]'), code: await exited };
    },
  },
};

/** Where the real gateway has not what the operator's image patches: a label that is lost changes nothing for it. */
export const lostLabel = async ({ api, ask, engines: { a } }: Bench): Promise<unknown> => {
  api.relabel('a', { app: 'md' });
  for (let i = 0; i < 8; i += 1) await ask('/v1/completions', completion()).over;
  const before = a.asked.length;
  for (let i = 0; i < 12; i += 1) await ask('/v1/completions', completion()).over;
  return { chosen: a.asked.length - before > 0 };
};
