import { listed } from './difference.ts';
import type { Difference } from './difference.ts';

/** Differences that need not stay: the embedded cluster is to be corrected. Each counts as open in the suite's summary. */
export const open: readonly Difference[] = [
  ...listed(
    'Subresources: rarely used parts',
    {
      'api.binding': ['1 *'],
      'api.ephemeral': ['0 *'],
      'api.status-of-deployment': ['0 *'],
      'api.token': ['0 *', '1 *'],
    },
    true,
  ),
  ...listed(
    'Custom resources: words of refusals, and answers of rarely used paths',
    {
      'api.crd-missing': ['0 *', '1 *'],
      'api.crd-no-subresources': ['0 *', '1 *'],
      'api.crd-one-of': ['0 *', '1 *'],
      'api.crd-plain': ['1 *'],
      'api.crd-scale': ['3 *'],
      'api.crd-status': ['3 *'],
    },
    true,
  ),
  ...listed(
    'CEL rules of a schema are not evaluated',
    {
      'api.crd-rules': ['0 *', '1 *'],
    },
    true,
  ),
  ...listed(
    'Field managers are kept for server-side apply alone, and an applied object is not typed by a schema',
    {
      'api.apply-after-update': ['1 *', '2 *'],
      'api.apply-conflict': ['3 *'],
      'api.apply-conflict-many': ['1 *'],
      'api.apply-needs-manager': ['1 *'],
      'api.apply-pod-lists': ['2 *'],
      'api.apply-wrong': ['0 *', '2 *', '3 *'],
      'api.crd-patches': ['5 *'],
      'api.managed-fields-of-writes': ['0 *', '1 *', '2 *'],
      'api.status-managed-apart': ['0 *', '1 *'],
    },
    true,
  ),
  ...listed(
    'Words and order of lesser parts of an answer',
    {
      'api.crd-columns': ['0 *'],
    },
    true,
  ),
  ...listed(
    'Definitions are checked less strictly',
    {
      'api.crd-bad': ['0 *', '1 *', '3 *', '4 *', '5 *'],
    },
    true,
  ),
  ...listed(
    'Rules of fields that are rarely broken, and the words of their refusals',
    {
      'api.budget-bad': ['0 *'],
      'api.deployment-bad': ['1 *', '7 *'],
      'api.deployment-selector-immutable': ['1 *'],
      'api.lease': ['1 *'],
      'api.pod-bad-init': ['1 *'],
      'api.pod-bad-policies': ['2 *', '4 *', '5 *', '6 *'],
      'api.pod-bad-resources': ['4 *'],
      'api.pod-bad-scheduling': ['0 *', '4 *', '5 *'],
      'api.pod-defaults-parts': ['0 *'],
      'api.pod-immutable': ['0 *', '1 *', '4 *', '5 *', '6 *'],
      'api.pod-status-of-user': ['1 *', '3 *'],
      'api.priority-class': ['2 *'],
      'api.service-bad': ['6 *', '8 *'],
      'api.service-defaults': ['2 *', '3 *'],
    },
    true,
  ),
  ...listed(
    'Patches: order of merged lists, operations that are refused, and the words',
    {
      'api.patch-json-missing': ['1 *'],
      'api.patch-merge': ['4 *'],
      'api.patch-merge-version': ['3 *'],
      'api.patch-strategic-lists': ['1 *', '6 *'],
      'api.patch-strategic-template': ['0 *', '2 *', '3 *'],
    },
    true,
  ),
  ...listed(
    'Selectors: fewer operators, other words where they are refused',
    {
      'api.field-selectors': ['2 *'],
      'api.label-selectors': ['8 *', '9 *', '10 *', '11 *'],
    },
    true,
  ),
  ...listed(
    'Lists and watches: rarely used options, and the words of refusals',
    {
      'api.list-chunks': ['1 *', '2 *'],
      'api.table-configmaps': ['0 *'],
      'api.table-pods': ['1 *', '2 *'],
      'api.watch-one-object': ['0 *', '1 *', '2 *'],
    },
    true,
  ),
  ...listed(
    'Words of refusals, and answers of rarely used paths',
    {
      'api.400-bodies': ['0 *', '1 *', '2 *', '4 *'],
      'api.404-paths': ['0 *', '2 *'],
      'api.405': ['3 *'],
      'api.406': ['0 *', '1 *'],
      'api.415': ['0 *', '1 *', '2 *'],
      'api.create-bad-key': ['0 *'],
      'api.create-bad-labels': ['0 *', '2 *', '3 *'],
      'api.create-bad-names': ['3 *'],
      'api.create-with-version': ['0 *'],
      'api.create-wrong-kind': ['0 *'],
      'api.create-wrong-type': ['0 *', '1 *'],
      'api.create-wrong-version': ['0 *'],
      'api.delete-options': ['0 *', '2 *', '3 *'],
      'api.delete-preconditions': ['2 *'],
      'api.dry-run': ['5 *'],
      'api.finalizer': ['3 *'],
      'api.finalizer-bad-name': ['0 *', '1 *'],
      'api.generate-name': ['1 *'],
      'api.immutable-configmap': ['1 *'],
      'api.owner-refs-checked': ['0 *', '1 *', '2 *'],
      'api.put-wrong-uid': ['0 *'],
      'api.secret': ['1 *', '2 *'],
      'api.strict-fields': ['3 *'],
      'api.yaml-body': ['0 *'],
    },
    true,
  ),
  ...listed(
    'A second delete with a shorter grace ends the Pod by that grace; measured on a real kubelet, it does not',
    {
      'kubelet.end-lowered': ['1 *'],
    },
    true,
  ),
  ...listed(
    'exec into an ended container is refused before the connection is upgraded, not after',
    {
      'kubelet.exec-ended': ['0 *'],
    },
    true,
  ),
  ...listed(
    'Deprecated kinds are answered without a warning',
    {
      'controllers.slice-named-port': ['1 *'],
    },
    true,
  ),
  ...listed(
    'A budget of Pods without a controller counts them where a real one gives up',
    {
      'controllers.budget-unmanaged': ['0 *', '1 *'],
    },
    true,
  ),
  ...listed(
    'Controllers: conditions and events of rarely used ways',
    {
      'controllers.replicaset-refused': ['1 *'],
    },
    true,
  ),
];
