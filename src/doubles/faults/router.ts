import type { Fault } from './fault.ts';

/** What a retirement that cannot be confirmed never comes to: its target stays and the operation ends as Aborted. */
const retirement = ['GS-RP-01', 'GS-RP-02', 'GS-RP-03', 'GS-RP-13', 'GS-RP-19', 'GS-RP-34'];

/** Faults of routers: how they choose, how they retry, and what they say of their endpoints. */
export const routerFaults: readonly Fault[] = [
  {
    name: 'router-keeps-leaving',
    double: 'router',
    does: 'goes on choosing a replica that has a deletion timestamp',
    breaks: ['GS-DW-04'],
    seenInField: 'GPUStack operator specs: 26 of 79 requests still reached a target that had lost its label',
  },
  {
    name: 'router-drops-late',
    double: 'router',
    does: 'drops a leaving replica 8 s after its deletion timestamp',
    breaks: ['GS-DW-04'],
    seenInField: 'smg 1.13 looks once a second; vllm-router loses a delete during a severed watch',
  },
  {
    name: 'router-ignores-labels',
    double: 'router',
    does: 'keeps a replica that lost the eligibility label, and says so',
    breaks: [...retirement, 'GS-RP-31'],
    seenInField: 'sglang-router 0.3.2 keeps it for ever; GPUStack operator specs: 110 of 330 requests still arrived',
  },
  {
    name: 'router-keeps-withdrawn',
    double: 'router',
    does: 'goes on choosing a replica that lost the eligibility label, and says that it does not',
    breaks: ['GS-RP-31'],
  },
  {
    name: 'router-retries-midstream',
    double: 'router',
    does: 'sends a request that was cut in mid-stream to another replica, from its start',
    breaks: ['GS-LM-01', 'GS-LM-03', 'GS-LM-04', 'GS-LM-05'],
  },
  {
    name: 'router-retries-before-start',
    double: 'router',
    does: 'makes 5 attempts while the response has not started, as the real vllm-router does',
    breaks: ['GS-LM-05'],
    seenInField: 'vllm-router 0.1.17 at its defaults',
  },
  {
    name: 'gateway-never-retries',
    double: 'sglang-gateway',
    does: 'makes one attempt',
    breaks: ['GS-LM-04'],
  },
  {
    name: 'observer-absent',
    double: 'router',
    does: 'answers 404 when asked for its endpoints',
    breaks: retirement,
    seenInField: 'every upstream router: the endpoint is a patch of the operator',
  },
  {
    name: 'observer-unavailable',
    double: 'router',
    does: 'answers 503 when asked for its endpoints, always',
    breaks: retirement,
    seenInField: 'llm-d-router under load: 503 while any selection or send is pending',
  },
  { name: 'observer-garbage', double: 'router', does: 'shows HTML for its endpoints', breaks: retirement },
  {
    name: 'observer-unknown-field',
    double: 'router',
    does: 'shows its endpoints with a field that nobody knows',
    breaks: retirement,
  },
  { name: 'observer-no-workers', double: 'router', does: 'shows its endpoints without workers', breaks: retirement },
  { name: 'observer-boot-zero', double: 'router', does: 'shows a boot generation of 0', breaks: retirement },
  { name: 'observer-huge', double: 'router', does: 'shows its endpoints in 5 MiB', breaks: retirement },
  {
    name: 'observer-half',
    double: 'router',
    does: 'closes the connection in the middle of its endpoints',
    breaks: retirement,
  },
  { name: 'observer-hangs', double: 'router', does: 'never answers when asked for its endpoints', breaks: retirement },
  {
    name: 'observer-lists-withdrawn',
    double: 'router',
    does: 'says that a replica which lost the eligibility label can still be chosen',
    breaks: retirement,
  },
  {
    name: 'llm-d-forgets-dispatch',
    double: 'llm-d-router',
    does: 'does not say that it has just sent something to a replica which it took out of selection',
    breaks: ['GS-RP-07'],
    seenInField: 'the first observer of the operator had no such records',
  },
  {
    name: 'llm-d-recent-in-selection',
    double: 'llm-d-router',
    does: 'lists a replica that it has just sent something to as one that can be chosen',
    breaks: ['GS-RP-08'],
  },
  {
    name: 'llm-d-survivor-holds',
    double: 'llm-d-router',
    does: 'takes what it sends to any replica for a dispatch to every replica that it ever knew',
    breaks: ['GS-RP-09'],
  },
];
