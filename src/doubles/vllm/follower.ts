import type { VllmLog } from './log.ts';

/**
 * A member of a replica of several Pods (`--headless`, or a node rank above 0): it computes for the leader, listens
 * nowhere, so that no gauge of it can be read, and ends at once upon SIGTERM, whatever the leader still does.
 */
export function follow(log: VllmLog): void {
  log.info('serve.py:180', 'Launching vLLM headless multiproc executor');
  const stays = setInterval(() => undefined, 2 ** 30);
  const end = () => {
    clearInterval(stays);
    log.info('serve.py:210', 'Shutting down.');
    process.exit(0);
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}
