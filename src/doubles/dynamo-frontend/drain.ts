import type { Server } from 'node:http';
import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import type { Seconds } from '../../time/scale.ts';
import type { Journal } from '../dynamo/journal.ts';
import type { Program } from '../program.ts';
import type { Fleet } from '../dynamo/fleet.ts';
import type { Relay } from './relay.ts';
import type { Doorway } from './service.ts';

interface Parts {
  program: Program;
  tell: Journal;
  fleet: Fleet;
  relay: Relay;
  server: Server;
  door: Doorway;
  /** Ends the sessions that are left. */
  hangUp: () => void;
  /** Seconds that admitted bodies may take. */
  timeout: Seconds;
}

/** Documented seconds by which faults move the end of the drain. */
const SHORT: Seconds = 2;
const LONG: Seconds = 3;

/**
 * The documented end of a frontend: draining until the last admitted body has ended or the timeout is over, then stopping,
 * the runtime cancelled, and gone with 0.
 */
export async function drain(parts: Parts): Promise<void> {
  const { program, tell, relay, server, door } = parts;
  const { faults } = program;
  if (faults.has('dynamo-dies-at-signal')) process.exit(143);
  const seconds = faults.has('frontend-drain-short')
    ? SHORT
    : faults.has('frontend-drain-long')
      ? parts.timeout + LONG
      : parts.timeout;
  if (faults.has('frontend-cancels-runtime-first')) {
    runtimePhases(tell);
    parts.fleet.close();
  }
  door.stage = 'draining';
  tell('INFO', lines.draining, { previous_stage: 'Ready', inflight_requests: door.inflight });
  tell('INFO', lines.serverShutdown);
  if (faults.has('frontend-cuts-bodies')) setTimeout(() => server.closeAllConnections(), program.scale.toMs(1));
  if (!(await idleWithin(door, program.scale.toMs(seconds)))) {
    tell('WARN', lines.httpTimedOut, { inflight_requests: door.inflight });
  }
  door.stage = 'stopping';
  tell('INFO', lines.stopping, { previous_stage: 'Draining' });
  if (!faults.has('frontend-cancels-runtime-first')) runtimePhases(tell);
  relay.cancelAll();
  parts.hangUp();
  parts.fleet.close();
  server.close(() => process.exit(0));
  server.closeIdleConnections();
}

function runtimePhases(tell: Journal): void {
  for (const line of [lines.runtime, lines.phase1, lines.phase2, lines.active(0), lines.teardown]) tell('INFO', line);
}

/** Whether no body is open within `ms` milliseconds. */
function idleWithin(door: Doorway, ms: number): Promise<boolean> {
  if (door.inflight === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    door.onIdle = () => {
      clearTimeout(timer);
      resolve(true);
    };
  });
}
