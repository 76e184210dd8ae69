import { said, rows } from './page.ts';
import { drainWindow as c } from '../../../src/requirements/drain-window.ts';
import { splitSglang as s } from '../../../src/requirements/split-sglang.ts';

/** The losses that the page admits: conformance is exactly that loss and no more. */
export const limitations = rows('Limitations', [
  {
    id: 'GS-LM-01',
    level: 'LIMITATION',
    statement:
      'On vLLM a request is cut exactly when it still runs as SIGTERM arrives, which on a busy replica lies in [G - 5, G - 3]. One that ends before the signal is whole. A cut may be silence.',
    source: said(77, '291d125e7089b03546466035293f5cde40e1333506941f34205cc1829cea7af0'),
    needs: ['engine:vllm'],
    formula: `S in [D + G - ${c.exitReserve}, K + G - ${c.signalReserve} + p]`,
  },
  {
    id: 'GS-LM-02',
    level: 'LIMITATION',
    statement:
      'An SGLang server that is not split goes on draining after SIGTERM until the kill at G: requests that end before G complete, the rest are cut at G.',
    source: said(77, '70d5c86a996b6cf4688874c9a4dda6afafe1bb22f43456ead1743f257c16be37'),
    needs: ['engine:sglang'],
    formula: 'x <= K + G - 1: whole; cut in [K + G, K + G + kill]',
  },
  {
    id: 'GS-LM-03',
    level: 'LIMITATION',
    statement: 'No router moves a running request to another replica.',
    source: said(77, 'f0b18470fc8b1c54c60c7dfd405e69c23d4f7cab9685f7ec901f9c2e8f3434a1'),
    needs: ['router:any'],
  },
  {
    id: 'GS-LM-04',
    level: 'LIMITATION',
    statement: 'The SGLang gateway retries while the response has not started, and never after.',
    source: said(77, '78306582057fe0de4ea6f9d40f94e926d284b4da8d3022bf4b2d5f288c9591bb'),
    needs: ['router:sglang-gateway'],
  },
  {
    id: 'GS-LM-05',
    level: 'LIMITATION',
    statement: 'llm-d-router and vllm-router do not retry.',
    source: said(77, '78306582057fe0de4ea6f9d40f94e926d284b4da8d3022bf4b2d5f288c9591bb'),
    needs: ['router:any'],
  },
  {
    id: 'GS-LM-06',
    level: 'LIMITATION',
    statement:
      'A split SGLang replica whose hook returns later than G - 20 (10 s at 30, 25 s at 45) is killed at G, and no request is cut that the deadline would not have cut.',
    source: said(78, '9b03a7bc15e85eeea1144a91f74fb3fcdc7e978af6afb6fdcd3317851396ab27'),
    needs: ['engine:sglang', 'topology:split'],
    formula: `S > K + G - ${s.schedulerWait}: E in [K + G, K + G + kill]; S < K + G - ${s.slowestExit}: E < K + G`,
  },
  {
    id: 'GS-LM-07',
    level: 'LIMITATION',
    statement: 'A take-over role gets no hook.',
    source: said(79, '9846bfd880fe1d1967c0cfc60e85a0cca5e7c67c3ded550339b051793afa1692'),
    needs: ['role:take-over'],
  },
  {
    id: 'GS-LM-08',
    level: 'LIMITATION',
    statement: 'A role that moves the engine with its own `--port`, and declares no ports, gets only the first 5 s.',
    source: said(80, '872769be7d6e3519849720b4509f76d7cf445672ecc436c6e2a5dde2cba0a76c'),
    needs: ['role:own-port'],
    formula: `S in [D + ${c.settle}, K + ${c.settle} + r + p]`,
  },
  {
    id: 'GS-LM-09',
    level: 'LIMITATION',
    statement: 'A replica of several Pods drains through its leader, and every member is deleted.',
    source: said(81, '9537dcf32e2bd9752a81672f19f5f175f28c147ac65811b95e57aa0f919cf45d'),
    needs: ['topology:several-pods'],
  },
  {
    id: 'GS-LM-10',
    level: 'LIMITATION',
    statement:
      'A replica whose answering member cannot be named is held, with the reason: no member carries the leader index, more than one does, the members disagree, the role says another size. Four causes, four verdicts.',
    source: said(82, '7261b6535bffad793c04992537c3046549b2b2438460ae06057beec26bf9dc44'),
    needs: ['router:any', 'topology:several-pods'],
  },
  {
    id: 'GS-LM-11',
    level: 'LIMITATION',
    statement:
      'A prefill or decode replica refused by the protocol still has its drain window when something else deletes its Pod.',
    source: said(83, '6a887eadc95bcf10cad686d19f4543dbde4bd340f8397f92bdeaa05ea26a8bc8'),
    versions: ['v0.9.2'],
    outside: 'from v0.10 on the protocol refuses no prefill or decode replica, it waits for its grace window',
    needs: ['topology:split'],
  },
  {
    id: 'GS-LM-12',
    level: 'LIMITATION',
    statement:
      "Below Kubernetes 1.29 a direct decoder's routing proxy stops at the delete and resets a request in flight through it. (That it does not from 1.29 on is derived: reported, never failed alone.)",
    source: said(84, '49b100b1cc41e9b532312fc315395b85d14276d103f3d7316568cf2ea6f3f546'),
    versions: ['v0.9.2', 'v0.10.0'],
    outside: 'v0.11 asks for Kubernetes 1.29 or newer, where the proxy is a native sidecar',
    needs: ['topology:direct-decoder', 'kubernetes<1.29'],
    formula: 'proxySignal in [D, K + p]',
  },
  {
    id: 'GS-LM-13',
    level: 'LIMITATION',
    statement: 'The routing proxy has no hook of its own.',
    source: said(84, '8596cd44b1aa0c245910597008be93662a3db252eccb46ae01b51e01277940e0'),
    needs: ['topology:direct-decoder'],
  },
  {
    id: 'GS-LM-14',
    level: 'LIMITATION',
    statement: "A take-over role's Pod carries the role's grace as given.",
    source: said(79, '0b2421688c2abb0e46bbf2e6f08f17ad9fd897e2304f97150b61fb2f0ede860b'),
    needs: ['role:take-over'],
  },
  {
    id: 'GS-LM-15',
    level: 'LIMITATION',
    statement: 'A take-over role without a grace keeps the Kubernetes default.',
    source: said(79, '0b2421688c2abb0e46bbf2e6f08f17ad9fd897e2304f97150b61fb2f0ede860b'),
    needs: ['role:take-over'],
  },
  {
    id: 'GS-LM-16',
    level: 'LIMITATION',
    statement: 'A follower gets SIGTERM about 5 s after its own delete though the leader still drains.',
    source: said(81, 'e83c2b142456578927e0858f40be26f882b37fff264368fb578a8e02b0025ad6'),
    needs: ['topology:several-pods'],
    formula: `S in [D + ${c.settle}, K + ${c.settle} + r + p]`,
  },
]);
