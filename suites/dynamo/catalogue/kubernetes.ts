import { said, rows } from './page.ts';
import { dynamo as d } from '../../../src/requirements/dynamo.ts';

/** A departure as Kubernetes sees it. */
export const kubernetes = rows('Kubernetes Integration', [
  {
    id: 'DY-K8-01',
    level: 'MUST',
    statement: 'Pods made by the Dynamo operator have `terminationGracePeriodSeconds` 60 by default.',
    source: said(215, 'aa68706274eead329c10f6167768cde2e7b70b1e36e80a93b079be3bc9a2e0ac'),
    needs: ['dynamo:operator'],
    formula: `G = ${d.podGrace}`,
  },
  {
    id: 'DY-K8-02',
    level: 'MUST',
    statement: 'During shutdown readiness fails and traffic stops, and requests in flight complete. Three verdicts.',
    source: said([222, 224], '8a8fa0f711b78e53d88596e50535ae1d66b0fa34142535aa68817fe63ab80acf'),
    needs: ['dynamo:worker'],
  },
  {
    id: 'DY-K8-03',
    level: 'MUST',
    statement:
      'A drain of the frontend that lasts longer than the liveness threshold is not cut by a liveness restart.',
    source: said(80, '3ae1265f6b4851abedc512783c9aecbc598ae7df6b839015e5e29d13128dd27f'),
    needs: ['dynamo:frontend'],
  },
  {
    id: 'DY-K8-04',
    level: 'MUST',
    statement: 'A Dynamo Pod that is not gone at the end of its grace is killed.',
    source: said(216, '5c05c128437a6cdae4dbaffed664f28cc4f987e5715896e6c361913ebeb790ea'),
    needs: ['dynamo:operator'],
    formula: 'E in [K + G, K + G + kill]',
  },
]);
