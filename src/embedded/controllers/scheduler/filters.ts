import { expressionMatches, hasLabels } from '../selector.ts';
import { condition } from '../objects.ts';
import type { Node, NodeSelectorTerm, Pod, Taint, Toleration } from '../objects.ts';

export const unschedulableTaint = 'node.kubernetes.io/unschedulable';

/**
 * Why a Node cannot take a Pod whatever leaves it, in the words of the real scheduler; undefined where it can.
 * The order is that of the real scheduler's filters.
 */
export function unfit(pod: Pod, node: Node): string | undefined {
  const tolerations = pod.spec.tolerations ?? [];
  const cordon: Taint = { key: unschedulableTaint, effect: 'NoSchedule' };
  if (node.spec?.unschedulable && !tolerates(tolerations, cordon)) return 'node(s) were unschedulable';
  const taint = effectiveTaints(node).find(
    (t) => (t.effect === 'NoSchedule' || t.effect === 'NoExecute') && !tolerates(tolerations, t),
  );
  if (taint) return 'node(s) had untolerated taint(s)';
  if (!affinityMatches(pod, node)) return "node(s) didn't match Pod's node affinity/selector";
  return undefined;
}

/** The Node's taints, and the one that follows from its conditions before the node controller has written it. */
function effectiveTaints(node: Node): Taint[] {
  const taints = (node.spec?.taints ?? []).filter((taint) => taint.key !== unschedulableTaint);
  const ready = condition(node.status?.conditions, 'Ready')?.status;
  if (ready === 'True' || taints.some((t) => t.key === notReadyTaint || t.key === unreachableTaint)) return taints;
  return [...taints, { key: ready === 'Unknown' ? unreachableTaint : notReadyTaint, effect: 'NoSchedule' }];
}

export const notReadyTaint = 'node.kubernetes.io/not-ready';
export const unreachableTaint = 'node.kubernetes.io/unreachable';

function tolerates(tolerations: Toleration[], taint: Taint): boolean {
  return tolerations.some(
    (t) =>
      (!t.effect || t.effect === taint.effect) &&
      (t.key ? t.key === taint.key : t.operator === 'Exists') &&
      (t.operator === 'Exists' || (t.value ?? '') === (taint.value ?? '')),
  );
}

function affinityMatches(pod: Pod, node: Node): boolean {
  if (!hasLabels(node.metadata.labels, pod.spec.nodeSelector ?? {})) return false;
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return true;
  return (required.nodeSelectorTerms ?? []).some((term) => termMatches(term, node));
}

function termMatches({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = { 'metadata.name': node.metadata.name };
  return (
    matchExpressions.every((expression) => expressionMatches(expression, node.metadata.labels)) &&
    matchFields.every((expression) => expressionMatches(expression, fields))
  );
}
