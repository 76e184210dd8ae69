import { said, rows } from './page.ts';
import { dynamo as d } from '../../../src/requirements/dynamo.ts';

/** Shutdowns that an error starts. */
export const errors = rows('Error-Initiated Shutdown', [
  {
    id: 'DY-ER-01',
    level: 'MUST',
    statement: 'The vLLM monitor sleeps 2 s between health checks; a dead engine leads to exit code 1.',
    source: said([178, 179], '6b80ac143de2d7eb2ce4683c4b7fa0f00c7d02120f1b394289920ad3a1ce5776'),
    needs: ['dynamo:vllm-worker'],
    formula: `seen <= death + ${d.healthCheckInterval} + c`,
  },
  {
    id: 'DY-ER-02',
    level: 'MUST',
    statement:
      'A fatal TensorRT-LLM error leads to runtime shutdown, then engine cleanup, then exit code 1, even when cleanup fails.',
    source: said([184, 207], 'bf8fd0e841eeb902ee4e5262fed1a01ac46eaed52f4f47a8d28e2821768a01e8'),
    needs: ['dynamo:trtllm-worker'],
  },
  {
    id: 'DY-ER-03',
    level: 'MUST',
    statement:
      'A worker that ended by a fatal error ends with a non-zero code, and Kubernetes starts its container again.',
    source: said(15, '960d7bd557332adc9d067ac6cc6dbe95ca3ab825e866492f5e723a769ac5870e'),
    needs: ['dynamo:worker'],
  },
  {
    id: 'DY-ER-04',
    level: 'MUST',
    statement: 'On a dead vLLM engine the order is: error logged, engine shutdown, `runtime.shutdown()`, exit 1.',
    source: said([166, 174], '69a72fa9ce3ec52f7f7b0e9cbd3617d4356fdc206f6443ebcd01a17fe061aeba'),
    needs: ['dynamo:vllm-worker'],
  },
  {
    id: 'DY-ER-05',
    level: 'MUST',
    statement: 'An engine shutdown that hangs delays this exit by 30 s at most.',
    source: said(179, 'c0971e5fe168292cf56d47c1925dc05b7d5f01a6e4c0a470f34f4825782c539e'),
    needs: ['dynamo:vllm-worker'],
    formula: `E <= seen + ${d.engineShutdown} + timer`,
  },
  {
    id: 'DY-ER-06',
    level: 'MUST',
    statement:
      'The TensorRT-LLM path logs the warning with its cause first, the error of a failed clean-up, and the critical line last.',
    source: said([184, 207], 'bf8fd0e841eeb902ee4e5262fed1a01ac46eaed52f4f47a8d28e2821768a01e8'),
    needs: ['dynamo:trtllm-worker'],
  },
]);
