import { said, rows } from './page.ts';
import { splitSglang as s } from '../../../src/requirements/split-sglang.ts';

/** How each engine ends once it has its signal. */
export const engineExit = rows('Drain window', [
  {
    id: 'GS-DW-10',
    level: 'MUST',
    statement:
      'An idle vLLM, or an idle SGLang server that is not split, exits by itself (before G, whatever its exit code) a few seconds after its hook returns.',
    source: said(19, '3e261c1a9207e49a78ef3f25da9af9e32e129e8df31aa408d175c7f38b7d2e30'),
    formula: 'E < K + G - 1; E <= S + few',
  },
  {
    id: 'GS-DW-16',
    level: 'MEASURED',
    statement: 'An idle split replica exits between 15 s and about 22 s after SIGTERM.',
    source: said(25, '07725aa474ec77898e08bc1240266414f796f751d1d3a861f11a019c1f2aa594'),
    needs: ['engine:sglang>=0.5.14', 'topology:split'],
    formula: `E - S in [${s.schedulerWait}, ${s.slowestExit} + about]`,
  },
  {
    id: 'GS-DW-17',
    level: 'MUST',
    statement: 'With G = 45 an idle split replica, its hook back by G - 20, leaves by itself before G.',
    source: said(27, '21dbc2336f5137bbdc1a4a95f7b1e2501ed2bcd613e8fdc637dd7d29ba7b80bb'),
    needs: ['engine:sglang', 'topology:split'],
    formula: `G = ${s.splitGrace} and S <= K + G - ${s.exitSeconds}: E < K + G`,
  },
  {
    id: 'GS-DW-34',
    level: 'MUST',
    statement:
      'From SGLang 0.5.14 on, an idle split engine does not exit earlier than 15 s after SIGTERM; an older one does.',
    source: said(25, '15475973b58adc175dd26c99e08ee0c9908a53130aa59505233a14908db5bf0e'),
    needs: ['engine:sglang>=0.5.14', 'topology:split', 'clock:real'],
    formula: `E - S >= ${s.schedulerWait}`,
  },
  {
    id: 'GS-DW-35',
    level: 'MUST',
    statement: "`SGL_FORCE_SHUTDOWN` skips SGLang's drain and does not shorten that 15 s wait.",
    source: said(27, '2c5b83b0bcf04952c446baffd4ac1be8976108e0cb0f88d38c9daa2763b1cc19'),
    needs: ['engine:sglang>=0.5.14', 'topology:split', 'clock:real'],
    formula: `E - S >= ${s.schedulerWait}`,
  },
  {
    id: 'GS-DW-36',
    level: 'MUST',
    statement: 'A vLLM told to wait after SIGTERM finishes its running requests and serves no new one meanwhile.',
    source: said(21, 'ff1946ff8779323a1c9108201c9d6cda64e7e3eb0845d0d85b1a8dec5201d426'),
    needs: ['engine:vllm'],
  },
  {
    id: 'GS-DW-37',
    level: 'MUST',
    statement: 'With G = 30, where the kill comes first, a split replica that is killed at G loses no request.',
    source: said(27, '5466e501f55f4c759d1cc868509452bb91fac3c5a19b41669499bb7c8f2747f8'),
    needs: ['engine:sglang', 'topology:split'],
    formula: 'E in [K + G, K + G + kill]',
  },
]);
