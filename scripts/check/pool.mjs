import { spawn } from 'node:child_process';

/**
 * Runs commands, `width` at a time, in the order given, and tells of each as it ends.
 * A command is `{ name, file, args, env? }`; its result adds `code` (null where a signal ended it), `output` and `seconds`.
 * Where this process is told to end, so are the commands that run.
 */
export async function runAll(commands, width, told = () => {}) {
  const running = new Set();
  const stop = (signal) => {
    for (const child of running) child.kill(signal);
    process.exitCode = signal === 'SIGINT' ? 130 : 143;
    queue.length = 0;
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const queue = [...commands];
  const results = new Map();
  const lane = async () => {
    for (let command = queue.shift(); command !== undefined; command = queue.shift()) {
      const result = { ...command, ...(await runOne(command, running)) };
      results.set(command, result);
      told(result);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  return commands.filter((command) => results.has(command)).map((command) => results.get(command));
}

function runOne({ file, args, env = {} }, running) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    const end = (code) => {
      running.delete(child);
      resolve({ code, output, seconds: (performance.now() - started) / 1000 });
    };
    child.once('error', (error) => {
      output += String(error);
      end(127);
    });
    child.once('close', end);
  });
}
