import { said, tables, rows } from './page.ts';

/** Signals, and the order of a shutdown. */
export const signals = rows('Signal Handling', [
  {
    id: 'DY-SG-01',
    level: 'MUST',
    statement:
      'SIGTERM starts a graceful shutdown in every component, judged apart: frontend, router, prefill, decode, vLLM, SGLang and TensorRT-LLM workers.',
    source: said(19, 'f2f9a3a33cd7f12173d11f2448c236e7d200a54e7e3174dc51328b74075f8181', tables.signals),
  },
  {
    id: 'DY-SG-02',
    level: 'MUST',
    statement: 'SIGINT does the same, in the same order and with the same effect.',
    source: said(31, 'd6e3a91169ccfd13f7d9454e12442b556c8e01048e785cfcab1ce83917403f70', tables.signals),
    open: 'components other than a frontend and a vLLM worker',
  },
  {
    id: 'DY-SQ-01',
    level: 'MUST',
    statement:
      'In a worker the order is: log the signal, unregister all endpoints, wait the grace period, `runtime.shutdown()`, wait for requests, return, clean up.',
    source: said([35, 42], '9d48adf04843d092fe8b0247723721ec2772e11f0f88f28a6bd35cc8034e4430'),
    needs: ['dynamo:worker'],
  },
  {
    id: 'DY-SQ-02',
    level: 'MUST',
    statement: 'All endpoints leave discovery first, before the grace begins.',
    source: said(11, '56e35dae8521b813033bf0926de9d098df2927940a145ab52e5bb3118adc53e8'),
    needs: ['dynamo:worker'],
    formula: 'gone in [signal, signal + unregister]; gone <= graceBegins',
  },
  {
    id: 'DY-SQ-03',
    level: 'MUST',
    statement: '`DYN_GRACEFUL_SHUTDOWN_GRACE_PERIOD_SECS` sets the wait, 5 s by default.',
    source: said(39, 'fb71c01023d6e8516b24e3b31fd6c8e6de504336571fe7fd1233a383e943e6d6'),
    needs: ['dynamo:worker'],
    formula: 'refused in [unregistered + P, unregistered + P + timer]',
  },
  {
    id: 'DY-SQ-04',
    level: 'MUST',
    statement: 'In the grace period the worker goes on serving, new requests included.',
    source: said(12, '521b8c4842bba367af9b2579927c413324933d405db0421738c2801234627b19'),
    needs: ['dynamo:worker'],
    formula: 'served in [signal, signal + P]',
  },
  {
    id: 'DY-SQ-05',
    level: 'MUST',
    statement: 'After it, `runtime.shutdown()` invalidates the endpoints: no new request is accepted.',
    source: said(48, '25b80b41dd9f7631a5918d4628477be94169102e8d53c1013aa64a9db3174c22'),
    needs: ['dynamo:worker'],
  },
  {
    id: 'DY-SQ-06',
    level: 'MUST',
    statement:
      'The wait in `runtime.shutdown()` is bounded by `DYN_RUNTIME_GRACEFUL_SHUTDOWN_TIMEOUT_SECS`, 900 s by default; past it the number of graceful endpoints left is logged and teardown goes on.',
    source: said(44, '7980af002a84b6dd3de4251137fa0e44ac047a68d4a958d9f89aa068ee2200c3'),
    needs: ['dynamo:worker'],
    formula: 'teardown in [signal + P + T, signal + P + T + timer]',
    open: 'the default of 900 s is never waited for: only that a smaller value bounds the wait',
  },
  {
    id: 'DY-SQ-07',
    level: 'MUST',
    statement: 'After the unregister, no router sends the leaving worker a new request.',
    source: said(11, '56e35dae8521b813033bf0926de9d098df2927940a145ab52e5bb3118adc53e8'),
    needs: ['dynamo:worker', 'dynamo:router'],
  },
  {
    id: 'DY-SQ-08',
    level: 'MUST',
    statement: 'That bound covers all endpoints together, not each.',
    source: said(44, '935fe16d8b6e3231afc8957b85af6ef83868760b5d94cd524a7a876dc9527601'),
    needs: ['dynamo:worker'],
    formula: 'teardown in [signal + P + T, signal + P + T + timer]',
  },
]);
