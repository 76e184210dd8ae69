import { said, rows } from './page.ts';

/** What a component leaves behind. */
export const cleanup = rows('Resource Cleanup', [
  {
    id: 'DY-CL-01',
    level: 'MUST',
    statement:
      'A vLLM worker logs `Cleaning up worker` (debug), removes its temporary directories and releases its engine.',
    source: said([103, 106], '725c5721e2c72f6fdf765608817932a0671d44ac4a06e398912c18e6b05ecd97'),
    needs: ['dynamo:vllm-worker'],
  },
  {
    id: 'DY-CL-02',
    level: 'MUST',
    statement: 'An SGLang worker cancels its unfinished consume tasks, then shuts its engine down.',
    source: said([111, 126], 'c54037fe1de4f264e86d03b255acbebcac22a075a6d5d61415e630b08ffaae49'),
    needs: ['dynamo:sglang-worker'],
  },
  {
    id: 'DY-CL-03',
    level: 'MUST',
    statement:
      'A TensorRT-LLM worker shuts its engine down if it has one; an error in that is logged (`Error during cleanup: ...`), and the exit goes on.',
    source: said([131, 145], 'e8bdf541b21e21b1189092f6b072274255775b22ddb8ca8327a9dd50e8d33de0'),
    needs: ['dynamo:trtllm-worker'],
  },
  {
    id: 'DY-CL-04',
    level: 'MUST',
    statement: 'After its exit a component has left no discovery record, listener, child process, or temporary file.',
    source: said(14, '37f61d3a87d2fa891375ff6671b233138a7af6345b069d1cfd8707b25f89e1fd'),
    open: 'child processes, temporary files, and components that stand in no record',
  },
  {
    id: 'DY-CL-05',
    level: 'MUST',
    statement: 'Clean-up runs after the endpoints have drained, and also when serving ended with an error.',
    source: said(92, '593cf90506f7f433cbb25512a4f88ab06742cb5cdd0910428d0fbb74125129f3'),
    needs: ['dynamo:worker'],
    open: 'the half about serving that ended with an error',
  },
]);
