import http from 'node:http';
import https from 'node:https';
import { now } from '../time/clock.ts';
import { Delays } from '../time/delays.ts';
import type { OnStall, StallMeter } from '../time/stall.ts';
import { tlsOptions } from './rest.ts';
import type { KubeClient } from './rest.ts';

/** Milliseconds between two questions to the API server. */
const EVERY_MS = 40;

/** An answer that takes longer than this many milliseconds is a stall. */
const SLOW_MS = 25;

/** Milliseconds after which an answer counts as none. */
const PATIENCE_MS = 5000;

/**
 * Asks the API server all the time whether it is there, over one kept connection, and tells of each stretch in which it
 * was slow or away, from the last prompt answer to the one that ended it. The summary is of round trips.
 */
export function meterCluster(client: KubeClient, onStall: OnStall): StallMeter {
  const { connection } = client;
  const options = { keepAlive: true, maxSockets: 1, timeout: PATIENCE_MS };
  const agent = connection.server.startsWith('https:')
    ? new https.Agent({ ...options, ...tlsOptions(connection) })
    : new http.Agent(options);
  const delays = new Delays();
  let heard = now();
  let away = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const ask = () => {
    const from = now();
    let over = false;
    const answered = (ok: boolean) => {
      if (over || stopped) return;
      over = true;
      const at = now();
      if (ok) {
        delays.add(at - from);
        if (away || at - from > SLOW_MS) onStall(heard, at);
        heard = at;
      }
      away = !ok;
      timer = setTimeout(ask, Math.max(0, from + EVERY_MS - at)).unref();
    };
    const request = client.open('GET', '/readyz', {}, agent);
    request.setTimeout(PATIENCE_MS, () => request.destroy(new Error('no answer')));
    request.on('error', () => answered(false));
    request.on('response', (response) => {
      // Any answer shows that it is there; whether it calls itself ready is another matter.
      response.resume();
      response.on('end', () => answered(true));
      response.on('error', () => answered(false));
    });
    request.end();
  };
  ask();
  return {
    stop() {
      if (stopped) return;
      stopped = true;
      clearTimeout(timer);
      agent.destroy();
      if (away) onStall(heard, now());
    },
    summary: () => delays.summary(),
  };
}
