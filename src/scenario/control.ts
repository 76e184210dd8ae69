import http from 'node:http';
import https from 'node:https';
import { ENGINE_CONTROL_PATH, type EngineControl } from '../engines/behaviour.ts';
import { PROBE_ADDRESS } from '../cluster/probe.ts';
import { now } from '../time/clock.ts';
import type { Acting } from './acting.ts';
import { addressOf, enginePortOf, engineIsTls } from './pods.ts';

/** Tells the double of an engine how to behave from now on; recorded as an action. */
export async function controlEngine(id: string, name: string, control: EngineControl, acting: Acting): Promise<void> {
  const pod = acting.bound.get(name);
  const host = pod && addressOf(pod);
  // It has left: there is nothing to be told any more, and whoever judges will miss what was to follow.
  if (pod && acting.live.gone.has(pod.metadata.uid ?? '')) return;
  if (!pod || !host) throw new Error(`case "${name}" has no address to be controlled at`);
  const target = `Pod/${pod.metadata.namespace}/${pod.metadata.name}`;
  const sent = now();
  acting.live.record('action.sent', [sent, sent], `action/${id}`, { id, verb: 'control', target, request: control });
  const status = await post(host, enginePortOf(pod), engineIsTls(pod), JSON.stringify(control));
  const answered = now();
  acting.live.record('action.answered', [answered, answered], `action/${id}`, { id, status });
  if (status === 204) acting.actions.prove(id, 'the engine took the command');
  else acting.problem(`action ${id}`, `the engine answered ${status} to ${JSON.stringify(control)}`);
}

/** The status of the answer; 0 where none came. */
function post(host: string, port: number, tls: boolean, body: string): Promise<number> {
  return new Promise((resolve) => {
    const request = (tls ? https : http).request(
      {
        host,
        port,
        method: 'POST',
        path: ENGINE_CONTROL_PATH,
        agent: false,
        ...(host.startsWith('127.') ? { localAddress: PROBE_ADDRESS } : {}),
        rejectUnauthorized: false,
        headers: { 'content-type': 'application/json' },
      },
      (response) => {
        response.resume();
        response.on('close', () => resolve(response.statusCode ?? 0));
      },
    );
    request.setTimeout(5000, () => request.destroy());
    request.on('error', () => resolve(0));
    request.end(body);
  });
}
