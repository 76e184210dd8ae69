import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { llmdRouter } from '../../routers/llm-d-router.ts';

// As far as this double goes by it; everything else of the document is accepted.
const configuration = z.object({
  plugins: z.array(
    z.object({
      type: z.string(),
      name: z.string().optional(),
      parameters: z
        .object({ matchLabels: z.record(z.string(), z.string()), nonCachedTokens: z.number() })
        .partial()
        .optional(),
    }),
  ),
  schedulingProfiles: z
    .array(
      z.object({
        name: z.string().optional(),
        plugins: z.array(z.object({ pluginRef: z.string(), weight: z.number().optional() })),
      }),
    )
    .min(1),
});

/** How the picker chooses. */
export interface Profile {
  /** Weight of each scorer, by its type; none: every endpoint is as good as another. */
  weights: Record<string, number>;
  /** Labels of the halves of a split deployment; undefined where every endpoint serves whole requests. */
  split: Split | undefined;
  /** Whether the observer covers all of its plugins. */
  observable: boolean;
}

export interface Split {
  prefill: Record<string, string>;
  decode: Record<string, string>;
  /** Tokens of a prompt from which on it is computed by a prefill half first. */
  fromTokens: number;
}

/** Plugins of the operator's own profiles: with any other one the observer refuses to speak. */
const covered = new Set([
  ...['label-selector-filter', 'queue-scorer', 'kv-cache-utilization-scorer', 'max-score-picker'],
  ...['prefix-cache-scorer', 'metrics-data-source', 'core-metrics-extractor', 'approx-prefix-cache-producer'],
  ...['precise-prefix-cache-producer', 'token-producer', 'endpoint-notification-source', 'prefix-based-pd-decider'],
  ...['disagg-profile-handler', 'single-profile-handler', 'openai-parser', 'anthropic-parser', 'vllmhttp-parser'],
  ...['fcfs-ordering-policy', 'global-strict-fairness-policy', 'static-usage-limit-policy-type'],
  'utilization-detector',
]);

/** Reads the profile from an EndpointPickerConfig. @throws ZodError where it is no such document */
export function profileOf(text: string): Profile {
  const { plugins, schedulingProfiles } = configuration.parse(parse(text));
  const labelsOf = (profile: string) => {
    const refs =
      schedulingProfiles.find(({ name }) => name === profile)?.plugins.map(({ pluginRef }) => pluginRef) ?? [];
    return Object.assign(
      {},
      ...plugins.filter(({ name }) => name && refs.includes(name)).map(({ parameters }) => parameters?.matchLabels),
    ) as Record<string, string>;
  };
  const decider = plugins.find(({ type }) => type === 'prefix-based-pd-decider');
  const split = plugins.some(({ type }) => type === 'disagg-profile-handler')
    ? {
        prefill: labelsOf('prefill'),
        decode: labelsOf('decode'),
        fromTokens: decider?.parameters?.nonCachedTokens ?? 0,
      }
    : undefined;
  const types = new Map(plugins.map(({ type, name = type }) => [name, type]));
  const scorers = (schedulingProfiles[0]?.plugins ?? []).flatMap(({ pluginRef, weight = 1 }) => {
    const type = types.get(pluginRef) ?? pluginRef;
    return type in llmdRouter.scorers ? [[type, weight] as const] : [];
  });
  return { weights: Object.fromEntries(scorers), split, observable: plugins.every(({ type }) => covered.has(type)) };
}

/** The profile of `--config-file`; without one the default scorers. */
export const readProfile = (path: string | undefined): Profile =>
  path
    ? profileOf(readFileSync(path, 'utf8'))
    : { weights: { ...llmdRouter.scorers }, split: undefined, observable: true };
