// The process of the embedded cluster, bundled to dist/cluster.mjs. It says on its standard output, or on the file
// descriptor of --ready-fd, in one line of JSON where it is: {"id", "kubeconfig", "url"}.
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { imageRegistry, readImageMap } from '../src/doubles/images.ts';
import { isKubernetesName, kubernetesVersions, type KubernetesName } from '../src/embedded/api/kubernetes-version.ts';
import { startCluster } from '../src/embedded/cluster.ts';
import type { EmbeddedCluster } from '../src/embedded/cluster.ts';
import { DEFAULT_TIME_SCALE, TimeScale } from '../src/time/scale.ts';
import { exitCodes } from './exit-codes.ts';

const usage = `usage: cluster [--time-scale FACTOR] [--kubernetes VERSION] [--port N] [--ready-fd N] [--images FILE] [--tied]
  --time-scale  documented seconds in one second of the wall (default ${DEFAULT_TIME_SCALE})
  --kubernetes  ${Object.keys(kubernetesVersions).join(' or ')} (default 1.34)
  --port        port of the API server on 127.0.0.1 (default: any free one)
  --ready-fd    file descriptor that gets the line of JSON instead of standard output
  --images      JSON file of images and the programs that stand for them
  --tied        end when standard input ends`;

interface Options {
  timeScale: number;
  kubernetes: KubernetesName;
  port: number;
  readyFd: number;
  images: string | undefined;
  tied: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      'time-scale': { type: 'string', default: String(DEFAULT_TIME_SCALE) },
      kubernetes: { type: 'string', default: '1.34' },
      port: { type: 'string', default: '0' },
      'ready-fd': { type: 'string', default: '1' },
      images: { type: 'string' },
      tied: { type: 'boolean', default: false },
    },
  });
  const whole = (name: 'port' | 'ready-fd', highest: number): number => {
    const value = values[name].trim() === '' ? NaN : Number(values[name]);
    if (Number.isInteger(value) && value >= 0 && value <= highest) return value;
    throw new RangeError(`--${name} ${values[name]}: expected a whole number from 0 to ${highest}`);
  };
  const timeScale = values['time-scale'].trim() === '' ? NaN : Number(values['time-scale']);
  const { kubernetes } = values;
  if (!isKubernetesName(kubernetes)) {
    const known = Object.keys(kubernetesVersions).join(' or ');
    throw new RangeError(`--kubernetes ${kubernetes}: expected ${known}`);
  }
  return {
    kubernetes,
    timeScale: new TimeScale(timeScale).factor,
    port: whole('port', 65_535),
    readyFd: whole('ready-fd', 1023),
    images: values.images,
    tied: values.tied,
  };
}

/** Ends the process once the cluster is stopped; a second signal does not wait. */
function endWith(starting: Promise<EmbeddedCluster>): (code: number) => void {
  let ending = false;
  return (code) => {
    if (ending) process.exit(code); // the reaper clears away the rest
    ending = true;
    void starting
      .then((cluster) => cluster.stop())
      .catch(() => undefined) // told below
      .finally(() => process.exit(code));
  };
}

async function main({ timeScale, kubernetes, port, readyFd, images, tied }: Options): Promise<void> {
  const programs = imageRegistry(import.meta.dirname, images === undefined ? {} : readImageMap(images));
  const log = (line: string) => process.stderr.write(`${new Date().toISOString()} ${line}\n`);
  const starting = startCluster({ timeScale, kubernetes, port, programs, log });
  const end = endWith(starting);
  process.on('SIGTERM', () => end(exitCodes.terminated));
  process.on('SIGINT', () => end(exitCodes.interrupted));
  process.on('SIGHUP', () => end(exitCodes.terminated));
  // Whoever read our words may be gone; that is no reason to leave the cluster half stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (tied) {
    process.stdin.on('end', () => end(0)).on('error', () => end(0));
    process.stdin.resume();
  }
  const { id, kubeconfig, url } = await starting;
  try {
    writeSync(readyFd, `${JSON.stringify({ id, kubeconfig, url })}\n`);
  } catch {
    end(exitCodes.harnessError);
  }
}

try {
  const options = readOptions();
  await main(options).catch((error: unknown) => {
    const known = (error as { code?: string }).code?.startsWith('QUIESCE_');
    console.error(`quiesce cluster: ${known ? (error as Error).message : ((error as Error).stack ?? String(error))}`);
    process.exit(exitCodes.harnessError);
  });
} catch (error) {
  console.error(`quiesce cluster: ${(error as Error).message}\n${usage}`);
  process.exitCode = exitCodes.usage;
}
