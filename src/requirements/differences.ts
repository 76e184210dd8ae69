/** Where the operator is known to do something else than its documents say: read in its source, not measured. */
interface Difference {
  /** Requirements that it breaks, by the document. */
  breaks: readonly string[];
  document: { source: string; says: string };
  implementation: { source: string; does: string };
}

const page = (section: string) => `GPUStack operator v0.9.2, Model Deployment Shutdown, ${section}`;
const code = (file: string) => `GPUStack operator, pkg/worker/controllers/worker/${file}`;

/**
 * The known differences, each under the name of the fault that makes a double behave as implemented. Reference of the
 * operator, sections 2.3 (hook), 3.5 (split replicas) and 3.7 (aborted operations).
 */
export const differences = {
  'hook-absent-gauge-is-idle': {
    breaks: ['GS-DW-01'],
    document: {
      source: page('Drain window'),
      says: 'names every answer that ends the hook while work runs: refused, an HTTP error, a failed handshake',
    },
    implementation: {
      source: code('model_deployment_drain.go at e924de57'),
      does: 'sums the gauges that an answer has, so that one without any of them counts as idle',
    },
  },
  'vllm-split-by-flags-alone': {
    breaks: ['GS-RP-26'],
    document: {
      source: page('Drain read refusals'),
      says: 'refuses a prefill or decode replica outright, on both engines',
    },
    implementation: {
      source: code('model_deployment_drain_collector.go at 57305aab'),
      does: 'knows a split vLLM by its data-parallel balance flags alone, so that one without them is drained and deleted',
    },
  },
  'aborted-blocks-removals': {
    breaks: ['GS-RP-25'],
    document: { source: page('Drain read refusals'), says: 'has an aborted replica never block the queue' },
    implementation: {
      source: code('model_deployment_retirement.go at 41436929'),
      does: 'starts no other removal of a deployment while its aborted one is retained, until a retry, an adoption or its end',
    },
  },
  'crash-loop-blocks-removals': {
    breaks: ['GS-RP-25'],
    document: {
      source: page('Drain read refusals'),
      says: 'has a replica that keeps crash-looping end as Aborted and never block the queue',
    },
    implementation: {
      source: code('model_deployment_retirement.go at 41436929'),
      does: 'retains the aborted operation of such a replica, and starts no other removal of its deployment meanwhile',
    },
  },
  'aborted-stays-ineligible': {
    breaks: ['GS-RP-10'],
    document: {
      source: 'GPUStack operator, specs/2026-10-01-s1-router-qualification-and-drain.md',
      says: 'lets a healthy replica that an aborted operation retains qualify for endpoint selection again',
    },
    implementation: {
      source: code('model_deployment_retirement.go at 41436929'),
      does: 'counts any reservation, in any state, against the qualification, so that the replica stays out of selection',
    },
  },
} as const satisfies Record<string, Difference>;
export type DifferenceName = keyof typeof differences;

export const differenceNames = Object.keys(differences) as DifferenceName[];
