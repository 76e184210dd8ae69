import type { Rule } from './rule.ts';
import { admission } from './rules/admission.ts';
import { capacity } from './rules/capacity.ts';
import { causes } from './rules/causes.ts';
import { cutRequests } from './rules/cut-requests.ts';
import { dynamoCleanup } from './rules/dynamo/cleanup.ts';
import { dynamoEndpoints } from './rules/dynamo/endpoints.ts';
import { dynamoErrors } from './rules/dynamo/errors.ts';
import { dynamoFrontend } from './rules/dynamo/frontend.ts';
import { dynamoKubernetes } from './rules/dynamo/kubernetes.ts';
import { dynamoMigration } from './rules/dynamo/migration.ts';
import { dynamoOrder } from './rules/dynamo/order.ts';
import { dynamoServing } from './rules/dynamo/serving.ts';
import { dynamoSessions } from './rules/dynamo/sessions.ts';
import { dynamoSignals } from './rules/dynamo/signals.ts';
import { engineExit } from './rules/engine-exit.ts';
import { exitTiming } from './rules/exit-timing.ts';
import { hookOrder } from './rules/hook-order.ts';
import { hookReads } from './rules/hook-reads.ts';
import { hookTiming } from './rules/hook-timing.ts';
import { keptDraining } from './rules/kept-draining.ts';
import { kvQueues } from './rules/kv-queues.ts';
import { movedRequests } from './rules/moved-requests.ts';
import { retirementCourse } from './rules/retirement/course.ts';
import { retirementMembers } from './rules/retirement/members.ts';
import { retirementOutcomes } from './rules/retirement/outcomes.ts';
import { retirementReads } from './rules/retirement/reads.ts';
import { retirementScope } from './rules/retirement/scope.ts';
import { retirementSelection } from './rules/retirement/selection.ts';
import { retirementSplit } from './rules/retirement/split.ts';
import { retries } from './rules/retries.ts';
import { routing } from './rules/routing.ts';
import { routingProxyRules } from './rules/routing-proxy.ts';
import { severalPods } from './rules/several-pods.ts';
import { shutdownSwitches } from './rules/shutdown-switches.ts';
import { splitLimits } from './rules/split-limits.ts';
import { turnover } from './rules/turnover.ts';

/** The rule of each requirement that can be decided; one file a concern. */
export const rules: Readonly<Record<string, Rule>> = {
  ...causes,
  ...hookTiming,
  ...hookReads,
  ...hookOrder,
  ...exitTiming,
  ...engineExit,
  ...keptDraining,
  ...kvQueues,
  ...severalPods,
  ...shutdownSwitches,
  ...splitLimits,
  ...cutRequests,
  ...movedRequests,
  ...retries,
  ...routing,
  ...routingProxyRules,
  ...turnover,
  ...admission,
  ...capacity,
  ...dynamoSignals,
  ...dynamoOrder,
  ...dynamoServing,
  ...dynamoFrontend,
  ...dynamoSessions,
  ...dynamoMigration,
  ...dynamoEndpoints,
  ...dynamoCleanup,
  ...dynamoErrors,
  ...dynamoKubernetes,
  ...retirementCourse,
  ...retirementSelection,
  ...retirementReads,
  ...retirementMembers,
  ...retirementOutcomes,
  ...retirementScope,
  ...retirementSplit,
};
