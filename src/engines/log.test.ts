import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flag, listFlag, numberFlag } from './argv.ts';
import { engineOf, servesTls, sglangMode } from './command.ts';
import { parseEngineLine } from './log.ts';

test('an access line of uvicorn, plain, with the process prefix and coloured', () => {
  const expected = { mark: 'access', client: '127.0.0.1', port: 45678, method: 'GET', path: '/metrics', status: 200 };
  assert.deepEqual(parseEngineLine('INFO:     127.0.0.1:45678 - "GET /metrics HTTP/1.1" 200 OK'), expected);
  assert.deepEqual(
    parseEngineLine('(APIServer pid=7) INFO:     127.0.0.1:45678 - "GET /metrics HTTP/1.1" 200 OK'),
    expected,
  );
  assert.deepEqual(
    parseEngineLine(
      '\x1b[32mINFO\x1b[0m:     127.0.0.1:45678 - "\x1b[1mGET /metrics HTTP/1.1\x1b[0m" \x1b[32m200 OK\x1b[0m',
    ),
    expected,
  );
});

test('an access line quoted inside a request is not one', () => {
  const line = 'INFO 11-30 07:38:00 [logger.py:40] prompt INFO:     1.2.3.4:5 - "GET /metrics HTTP/1.1" 200 OK';
  assert.equal(parseEngineLine(line), undefined);
});

test("a received completion gives the client's request id without its prefix and index", () => {
  const line = "INFO 11-30 07:38:00 [logger.py:40] Received request cmpl-drain-7-0: prompt: 'x', params: …";
  assert.deepEqual(parseEngineLine(line), { mark: 'received', request: 'drain-7' });
});

test('a received chat has no index to strip', () => {
  const line = 'INFO 11-30 07:38:00 [logger.py:40] Received request chatcmpl-drain-7: params: …';
  assert.deepEqual(parseEngineLine(line), { mark: 'received', request: 'drain-7' });
});

test('the signal mark, and lines that say nothing', () => {
  const line = '(APIServer pid=7) INFO 11-30 07:38:00 [launcher.py:140] [shutdown] API server: shutdown triggered';
  assert.deepEqual(parseEngineLine(line), { mark: 'signalled' });
  assert.equal(parseEngineLine('INFO:     Application startup complete.'), undefined);
  assert.equal(
    parseEngineLine('INFO 11-30 07:38:00 [launcher.py:150] [shutdown] API server: engine client stopped'),
    undefined,
  );
  assert.equal(parseEngineLine(''), undefined);
});

test('flags in both spellings; the last one counts', () => {
  const argv = ['serve', 'm', '--port', '8001', '--port=8002', '--enable-log-requests', '--host', '0.0.0.0'];
  assert.equal(flag(argv, '--port'), '8002');
  assert.equal(flag(argv, '--enable-log-requests'), true);
  assert.equal(flag(argv, '--absent'), undefined);
  assert.equal(numberFlag(argv, '--port', 0), 8002);
  assert.equal(numberFlag(['--port', 'x'], '--port', 7), 7);
  assert.deepEqual(listFlag(['--selector', 'a=b', 'c=d', '--port', '1', '--selector=e=f'], '--selector'), [
    'a=b',
    'c=d',
    'e=f',
  ]);
  assert.equal(servesTls(argv), false);
  assert.equal(servesTls([...argv, '--ssl-certfile=/x']), true);
});

test("SGLang's lines: uvicorn's with the time before them, a request by its rid, the signal", () => {
  assert.deepEqual(
    parseEngineLine('[2026-11-30 07:38:00] INFO:     127.16.0.1:45678 - "GET /metrics HTTP/1.1" 200 OK'),
    {
      mark: 'access',
      client: '127.16.0.1',
      port: 45678,
      method: 'GET',
      path: '/metrics',
      status: 200,
    },
  );
  assert.deepEqual(
    parseEngineLine("[2026-11-30 07:38:00] Receive: obj=GenerateReqInput(rid='drain-7', http_worker_ipc=None)"),
    { mark: 'received', request: 'drain-7' },
  );
  assert.deepEqual(
    parseEngineLine(
      '[2026-11-30 07:38:00] SIGTERM received. signum=15 frame=None. Draining requests and shutting down...',
    ),
    { mark: 'signalled' },
  );
  assert.equal(
    parseEngineLine('[2026-11-30 07:38:00] Gracefully exiting... Remaining number of requests 0.'),
    undefined,
  );
});

test('the engine that a command starts, and which half of a pair', () => {
  const split = ['python3', '-m', 'sglang.launch_server', '--model-path', 'm', '--disaggregation-mode=decode'];
  assert.equal(engineOf(split), 'SGLang');
  assert.equal(sglangMode(split), 'decode');
  assert.equal(sglangMode(['--disaggregation-mode', 'null']), 'unified');
  assert.equal(engineOf(['vllm', 'serve', 'm']), 'vLLM');
  assert.equal(engineOf(['/opt/bin/vllm', 'serve', 'm']), 'vLLM');
  assert.equal(engineOf(['nginx']), undefined);
});
