import { join } from 'node:path';
import { $ } from 'zx';
import { manifestsFolder } from '../../src/systems/gpustack/manifests.ts';
import { command, type Step } from '../real/step.ts';
import { answer, checkStep, program, type Check } from './checks.ts';

export interface OperatorOptions {
  context?: string | undefined;
  /** Release of the operator, such as v0.9.2. */
  release: string;
  /** Whether our double is installed in the place of the real one. */
  double: boolean;
}

/** Where the charts are. Reference: GPUStack operator, installation by Helm. The release's name must be that of the chart. */
const chart = {
  repository: 'https://docs.gpustack.ai/gpustack-operator/charts',
  name: 'gpustack-operator',
  namespace: 'gpustack-system',
};

/** Steps that install the operator, or bring it to that release. */
export function operatorSteps({ context, release, double }: OperatorOptions): Step[] {
  const kubectl = ['kubectl', ...(context === undefined ? [] : ['--context', context])];
  const helm = ['helm', ...(context === undefined ? [] : ['--kube-context', context])];
  const reach = program(
    'an API server that answers',
    [...kubectl, 'get', '--raw=/readyz'],
    'give a --context of your kubeconfig',
  );
  if (double)
    return [
      checkStep([reach]),
      command('our definitions and the operator’s double', [...kubectl, 'apply', '-k', manifestsFolder()]),
      command('its Deployment rolled out', [
        ...[
          ...kubectl,
          '--namespace',
          chart.namespace,
          'rollout',
          'status',
          'deployment/gpustack-operator',
          '--timeout=180s',
        ],
      ]),
    ];
  const status = [...helm, 'status', chart.name, '--namespace', chart.namespace];
  let made = false;
  return [
    checkStep([reach, program('Helm', ['helm', 'version'], 'install Helm 3.8 or newer'), kueue(kubectl, status)]),
    {
      does: `have the operator ${release}`,
      shows: [install(helm, release).join(' ')],
      run: async () => {
        made = (await answer(status)) === undefined;
        await $`${install(helm, release)}`;
      },
      // Its removal takes Kueue's objects with it, so that it is taken back only where nobody had any before.
      undo: async () => {
        if (made) await $`${[...helm, 'uninstall', chart.name, '--namespace', chart.namespace, '--ignore-not-found']}`;
      },
    },
  ];
}

const install = (helm: string[], release: string): string[] => [
  ...[...helm, 'upgrade', '--install', chart.name, chart.name, '--repo', chart.repository],
  ...['--version', release.replace(/^v/, ''), '--namespace', chart.namespace, '--create-namespace'],
  ...['--values', join(manifestsFolder(), 'helm', 'gpustack-operator.yaml'), '--wait', '--timeout', '10m'],
];

/** The chart brings its own Kueue: a cluster that has one already would lose it when the operator is removed. */
const kueue = (kubectl: string[], status: string[]): Check => ({
  fact: 'no Kueue but that of the operator',
  shows: `${kubectl.join(' ')} get crd clusterqueues.kueue.x-k8s.io`,
  problem: async () => {
    const there = await answer([...kubectl, 'get', 'crd', 'clusterqueues.kueue.x-k8s.io', '-o', 'name']);
    if (there === undefined || (await answer(status)) !== undefined) return undefined;
    return 'the cluster has a Kueue that the operator did not install; its chart would take it over: use another cluster';
  },
});
