import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../src/cluster/rest.ts';
import { dynamoOperatorObjects } from '../src/systems/dynamo/operator.ts';
import { manifestsFolder } from '../src/systems/gpustack/manifests.ts';
import type { ModelDeploymentSpec } from '../src/systems/gpustack/types.ts';
import { scenarios } from '../suites/scenarios.ts';
import { devicePlugin } from './gpu/kind.ts';
import { appliedFolders, kustomized } from './testing/kustomize.ts';

const root = manifestsFolder();

test('every folder with a kustomization is on the list of those that are tried, or part of one that is', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const folders = files.filter((file) => file.endsWith('/kustomization.yaml')).map((file) => dirname(file));
  const others = folders.filter((folder) => !(appliedFolders as readonly string[]).includes(folder));
  assert.deepEqual(others.sort(), ['crds', 'dynamo', 'graphs/base']);
});

const kubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
test('our reading of a kustomization is that of kubectl', { skip: kubectl ? false : 'not found: kubectl' }, () => {
  const key = (o: KubeObject) => `${o.kind} ${o.metadata.name}`;
  const sorted = (objects: KubeObject[]) => objects.toSorted((a, b) => key(a).localeCompare(key(b)));
  for (const folder of appliedFolders) {
    const { stdout, stderr } = spawnSync('kubectl', ['kustomize', join(root, folder)], { encoding: 'utf8' });
    const theirs = parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
    assert.deepEqual(sorted(kustomized(folder)), sorted(theirs), `${folder}: ${stderr}`);
  }
});

interface Shape {
  engine?: string | { name: string };
  router?: { name?: string };
  roles: { kind?: string; size?: number; command?: string[] }[];
  kvTransfer?: object;
}

/** The cell of the matrix that a deployment is in. */
function cell({ engine = 'vLLM', router, roles, kvTransfer }: Shape): string {
  const split = roles.some(({ kind = 'Server' }) => kind !== 'Server');
  const several = roles.some(({ size = 1 }) => size > 1);
  const topology = split ? (kvTransfer ? 'split, direct' : 'split') : several ? 'several Pods' : 'one Pod';
  const name = typeof engine === 'string' ? engine : engine.name;
  return [name, router ? (router.name ?? 'vllm-router') : 'no router', topology].join(', ');
}

test('there is a ModelDeployment for each engine, router and topology of the scenarios, and no other', () => {
  const tried = scenarios.flatMap(({ deploy }) =>
    deploy.kind === 'gpustack' ? deploy.deployments.filter(({ roles }) => !roles.some((role) => role.command)) : [],
  );
  const written = kustomized('models/double').map((object) => cell(object['spec'] as ModelDeploymentSpec));
  assert.deepEqual(written.toSorted(), [...new Set(tried.map(cell))].sort());
});

test('on GPUs no model and no instance type of our doubles is left', () => {
  for (const folder of ['engines/gpu', 'models/gpu', 'graphs/gpu'])
    assert.doesNotMatch(JSON.stringify(kustomized(folder)), /quiesce/, folder);
});

test('the double of Dynamo’s operator has the rights that scenarios give it', () => {
  const [graph, ...operator] = kustomized('graphs/double').toReversed();
  assert.equal(graph?.kind, 'DynamoGraphDeployment');
  assert.deepEqual(operator.toReversed(), dynamoOperatorObjects('default'));
});

test('the device plugin is the one that kind-up installs', () => {
  assert.match(JSON.stringify(kustomized('nvidia')), new RegExp(`k8s-device-plugin:v${devicePlugin.version}"`));
});
