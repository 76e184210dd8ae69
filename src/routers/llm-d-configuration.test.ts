import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { llmdConfiguration } from './llm-d-configuration.ts';

const engine = { name: 'vllm', queued: 'vllm:num_requests_waiting', running: 'vllm:num_requests_running' };

interface Picker {
  plugins: { name?: string; type: string; parameters?: object }[];
  schedulingProfiles: { name: string; plugins: { pluginRef: string; weight?: number }[] }[];
}
const pickerOf = (kinds: string[]) =>
  parse(llmdConfiguration({ kinds, roleKindLabel: 'kind', engine })['epp.yaml']) as Picker;

test('one profile for servers, by queue 2, cache use 2 and prefix 3', () => {
  const { schedulingProfiles } = pickerOf(['server']);
  assert.deepEqual(schedulingProfiles, [
    {
      name: 'server',
      plugins: [
        { pluginRef: 'server-pods' },
        { pluginRef: 'queue-scorer', weight: 2 },
        { pluginRef: 'kv-cache-utilization-scorer', weight: 2 },
        { pluginRef: 'prefix-cache-scorer', weight: 3 },
        { pluginRef: 'max-score-picker' },
      ],
    },
  ]);
});

test('every plugin that a profile names is there; a decode half does not score prefixes', () => {
  for (const kinds of [['server'], ['prefill', 'decode']]) {
    const { plugins, schedulingProfiles } = pickerOf(kinds);
    const names = new Set(plugins.map(({ name, type }) => name ?? type));
    for (const { plugins: own } of schedulingProfiles) for (const { pluginRef } of own) assert.ok(names.has(pluginRef));
  }
  const { plugins, schedulingProfiles } = pickerOf(['prefill', 'decode']);
  assert.ok(plugins.some(({ type }) => type === 'disagg-profile-handler'));
  const scores = (name: string) =>
    schedulingProfiles.find((profile) => profile.name === name)?.plugins.map(({ pluginRef }) => pluginRef);
  assert.ok(scores('prefill')?.includes('prefix-cache-scorer'));
  assert.ok(!scores('decode')?.includes('prefix-cache-scorer'));
});

test('Envoy: a day unless said otherwise, no retry, and the header of a client goes before the picker is asked', () => {
  const text = (timeoutSeconds?: number) =>
    llmdConfiguration({
      ...{ kinds: ['server'], roleKindLabel: 'kind', engine },
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    })['envoy.yaml'];
  assert.match(text(), /timeout: 86400s/);
  assert.match(text(60), /timeout: 60s/);
  assert.ok(!text().includes('retry'));
  assert.ok(text().indexOf('header_mutation') < text().indexOf('ext_proc'));
});
