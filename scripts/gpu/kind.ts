import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $ } from 'zx';
import { manifestsFolder } from '../../src/systems/gpustack/manifests.ts';
import { writeImages } from '../real/images/write.ts';
import { command, type Step } from '../real/step.ts';
import { answer, checkStep, program, type Check } from './checks.ts';

export interface KindOptions {
  name: string;
  /** Whether Nodes get the machine's GPUs; without them the cluster is one for doubles. */
  gpu: boolean;
}

/** NVIDIA's device plugin, by which Nodes advertise nvidia.com/gpu. */
export const devicePlugin = { repository: 'https://nvidia.github.io/k8s-device-plugin', version: '0.17.1' };

const docker: Check = {
  fact: 'a Docker daemon that answers',
  shows: 'docker version',
  problem: async () =>
    (await answer(['docker', 'version'])) === undefined
      ? 'docker version failed: install Docker and start its daemon'
      : undefined,
};

const nvidiaRuntime: Check = {
  fact: 'NVIDIA’s runtime as Docker’s default',
  shows: "docker info --format '{{.DefaultRuntime}}'",
  problem: async () => {
    const runtime = await answer(['docker', 'info', '--format', '{{.DefaultRuntime}}']);
    if (runtime === 'nvidia') return undefined;
    return (
      `Docker’s default runtime is ${runtime ?? 'not to be had'}, expected nvidia: ` +
      'nvidia-ctk runtime configure --runtime=docker --set-as-default, then restart Docker'
    );
  },
};

/** Steps that make a cluster in Docker, with GPUs where asked for; a cluster of that name is taken as it is. */
export function kindSteps({ name, gpu }: KindOptions): Step[] {
  const kubectl = ['kubectl', '--context', `kind-${name}`];
  const create = gpu
    ? [
        ...['nvkind', 'cluster', 'create', '--name', name],
        ...['--config-template', join(manifestsFolder(), 'kind/gpu.yaml')],
      ]
    : ['kind', 'create', 'cluster', '--name', name, '--wait', '180s'];
  const archive = join(tmpdir(), `quiesce-kind-${name}.tar`);
  let made = false;
  return [
    checkStep([
      docker,
      program('kind', ['kind', 'version'], 'install kind'),
      program('kubectl', ['kubectl', 'version', '--client'], 'install kubectl'),
      ...(gpu
        ? [
            program(
              'a GPU',
              ['nvidia-smi', '--list-gpus'],
              'this machine has no NVIDIA GPU or no driver; --without-gpu makes a cluster for doubles',
            ),
            program('nvkind', ['nvkind', '--help'], 'install nvkind, which gives kind’s Nodes the GPUs'),
            program('helm', ['helm', 'version'], 'install Helm 3.8 or newer'),
            nvidiaRuntime,
          ]
        : []),
    ]),
    {
      does: `have the cluster ${name}`,
      shows: [create.join(' ')],
      run: async () => {
        const there = (await answer(['kind', 'get', 'clusters']))?.split('\n').includes(name) ?? false;
        if (there) return;
        made = true;
        await $`${create}`;
      },
      undo: async () => {
        if (made) await $`kind delete cluster --name ${name}`;
      },
    },
    ...(gpu
      ? [
          command('NVIDIA’s device plugin', [
            ...['helm', 'upgrade', '--install', 'nvidia-device-plugin', 'nvidia-device-plugin'],
            ...['--repo', devicePlugin.repository, '--version', devicePlugin.version],
            ...[
              '--kube-context',
              `kind-${name}`,
              '--namespace',
              'nvidia',
              '--create-namespace',
              '--wait',
              '--timeout',
              '5m',
            ],
          ]),
        ]
      : []),
    {
      does: 'load the doubles’ images',
      shows: [`kind load image-archive ${archive} --name ${name}`, `rm ${archive}`],
      run: async () => {
        try {
          await writeImages(archive, [], () => undefined);
          await $`kind load image-archive ${archive} --name ${name}`;
        } finally {
          await $`rm -f ${archive}`;
        }
      },
    },
    command('all Nodes ready', [...kubectl, 'wait', 'nodes', '--all', '--for=condition=Ready', '--timeout=180s']),
  ];
}
