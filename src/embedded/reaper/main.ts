// The reaper of one cluster: waits until the cluster's process is gone, however it went, and clears away what it left.
// Its standard input is a pipe that the cluster alone holds open; the kernel closes it even after kill -9.
import { rmSync } from 'node:fs';
import { killCluster } from './kill.ts';

const [cluster, folder] = process.argv.slice(2);
if (!cluster || !folder) {
  console.error('usage: reaper CLUSTER FOLDER');
  process.exit(64);
}

// A signal to the whole group or session is meant for the cluster; the reaper must outlive it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.stdin.resume();
process.stdin.on('error', () => {});
let begun = false;
for (const end of ['end', 'close'] as const) {
  process.stdin.once(end, () => {
    if (!begun) void reap(cluster, folder);
    begun = true;
  });
}

async function reap(cluster: string, folder: string): Promise<void> {
  await killCluster(cluster);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  process.exit(0);
}
