import { said, tabled, tables, rows } from './page.ts';
import { retirement as p } from '../../../src/requirements/retirement.ts';

/** How the protocol reads the work of a leaving replica. */
export const memberRead = rows('Retirement protocol', [
  {
    id: 'GS-RP-14',
    level: 'MUST',
    statement:
      "Work is read by one bounded `pods/exec` a read, in the member's `main` container, over loopback, on the port of its scrape annotations.",
    source: said(49, '6a7e5bbc17542f4f574654f2f5884dc0d68c107c80ef504dcc415b325ee66c93'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-15',
    level: 'MUST',
    statement: 'The gauges are those that the hook sums.',
    source: said(51, 'aa57c485491cdf2309310b7df98c599870d78046c3ed20c07c69f03609db595a'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-16',
    level: 'MUST',
    statement:
      "Two idle reads, both with every expected gauge, come before the deletion commits; reads after the deletion timestamp are the hook's and do not count.",
    source: said(53, 'a067638e34ebadd23bf574458304f0b0465c3d64a6b005dddca685c394ef20d4'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-17',
    level: 'MUST',
    statement: 'A second read that finds work holds the operation.',
    source: said(53, '10b5d265b2b15a208679e14200e9778c0348b6909277fe85be0d22026301fa3c'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-18',
    level: 'MUST',
    statement:
      'A replica of one Pod answers by itself; a leader-served replica of several answers through rank 0 only, so a busy or silent follower does not hold it.',
    source: said(55, 'ec783e44eefbe25c08bad9302c8c1a52717840e86c158b66ba4230ca68491b64'),
    needs: ['router:any', 'topology:several-pods'],
  },
  {
    id: 'GS-RP-19',
    level: 'MUST',
    statement: 'The deletion covers every member that the reservation bound, and no other Pod.',
    source: said(57, 'db57d0cf93a783be316ed887fa4103731302c7767daed98943c65535528ccbca'),
    needs: ['router:any', 'topology:several-pods'],
  },
  {
    id: 'GS-RP-20',
    level: 'MUST',
    statement: 'The reason on the reservation names which hold or refusal applied, and differs for each.',
    source: said(61, 'eda9adca1f9f81f858d83f4520f8a9ad6ab162cd90ac844b326078fd503893e9'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-21',
    level: 'MUST',
    statement: 'Held: the member still serves requests, until it is idle.',
    source: tabled(tables.refusals),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-22',
    level: 'MUST',
    statement: 'Held: the answer lacks any one of the expected gauges.',
    source: said(53, '8164e029b23b43ceaa5f57fcebe8c236e748aed18a3f140ec688717204f931b5', tables.refusals),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-23',
    level: 'MUST',
    statement: 'Held: the exec fails, times out, or returns a body that is not metrics. Three causes, three verdicts.',
    source: tabled(tables.refusals),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-24',
    level: 'MUST',
    statement:
      'Held, and bounded: a container that restarted since the protocol began to watch. A replica that keeps crashing ends as `Aborted`, with Pods, Workload and capacity retained.',
    source: said(63, 'c3702afc776085554adaef5f2c66202b1917f1204f616466652041294f9afd0a', tables.refusals),
    needs: ['router:any'],
    formula: `aborted <= started + ${p.total} + q`,
  },
  {
    id: 'GS-RP-25',
    level: 'MUST',
    statement:
      "Such a replica never blocks the queue: another deployment's retirement goes on meanwhile and after. (A later removal of the same deployment is judged apart: the sentence can be read so, the operator's code cannot.)",
    source: said(63, '091f613c588c29f3bffcaa6338012fc085360c1a072406307805f7194e414dd7'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-30',
    level: 'MUST',
    statement:
      "A decoder's work that waits for KV is visible on both engines: SGLang's prefill inflight queue on the prefill half, its prealloc and transfer queues on the decode half; vLLM's waiting gauge.",
    source: said(71, '99360571c9b4c2715d3768be515ade747786735d477589592e774cf341223080'),
    needs: ['topology:split'],
  },
  {
    id: 'GS-RP-32',
    level: 'MUST',
    statement:
      "The answer is the member's own: a busy survivor does not hold an idle target, an idle survivor does not free a busy one.",
    source: said(49, '48f45d1272ebe76b5a21e172cc32646bf3ba1ce30d1a4be7e19861efb33a6e9c'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-33',
    level: 'MUST',
    statement:
      "A read ends within 5 s, waits at most 2 s for the engine's answer and takes at most 1 MiB; past a bound the member is held.",
    source: tabled(tables.bounds),
    needs: ['router:any'],
    formula: `execEnd - execStart <= ${p.readSeconds}; answer - execStart <= ${p.answerSeconds}; body <= ${p.readBytes}`,
  },
  {
    id: 'GS-RP-34',
    level: 'MUST',
    statement: 'A target that was held for work is deleted once it is idle, within the same operation.',
    source: said(39, '2f0e5eeb3443d7df0f097692a9c0f73e6818d2a2dd23fbdf8ccfa6dfe3527579'),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-35',
    level: 'MUST',
    statement: 'A container that restarted once during the operation stays held though it is idle and healthy again.',
    source: said(63, '0cababd616281a4eb871aafad7f582eefc89f596d646bd8340fb664ea3a4fb47', tables.refusals),
    needs: ['router:any'],
  },
  {
    id: 'GS-RP-36',
    level: 'MUST',
    statement:
      "A held operation ends as `Aborted` at the drain budget or the operation's total (240 s and 300 s: the numbers stand on the status page).",
    source: said(63, '091f613c588c29f3bffcaa6338012fc085360c1a072406307805f7194e414dd7', tables.status),
    needs: ['router:any', 'clock:real'],
    formula: `aborted <= min(draining + ${p.drainBudget}, started + ${p.total}) + q`,
  },
]);
