import type { BackendName } from '../../engines/dynamo/backends.ts';
import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import type { Journal } from '../dynamo/journal.ts';
import type { Program } from '../program.ts';
import type { Engine } from './engine.ts';
import type { ConsumeTasks } from './generate.ts';

interface Cleaned {
  program: Program;
  tell: Journal;
  engine: Engine;
  tasks: ConsumeTasks;
  prefill: boolean;
}

/** What each backend cleans up once its endpoints have drained. */
export const cleanups: Record<BackendName, (of: Cleaned) => Promise<void>> = {
  async vLLM({ program, tell, engine }) {
    tell('DEBUG', lines.cleanup);
    if (!program.faults.has('worker-leaves-folders')) engine.removeFolders();
    if (!program.faults.has('worker-leaves-engine')) await engine.shutDown();
  },
  async SGLang({ program, tell, engine, tasks, prefill }) {
    if (program.faults.has('sglang-awaits-tasks')) await tasks.done();
    tasks.cancelAll();
    if (!program.faults.has('worker-leaves-engine')) await engine.shutDown();
    tell('INFO', prefill ? lines.prefillEngineShutdown : lines.engineShutdown);
  },
  async 'TensorRT-LLM'({ program, tell, engine }) {
    try {
      await engine.shutDown();
    } catch (error) {
      if (program.faults.has('trtllm-dies-of-cleanup-error')) process.exit(1);
      tell('ERROR', `${lines.cleanupError}: ${(error as Error).message}`);
    }
  },
};
