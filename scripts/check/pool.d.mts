interface Command {
  name: string;
  file: string;
  args: string[];
  env?: Record<string, string | undefined>;
}
type Result = Command & { code: number | null; output: string; seconds: number };

export function runAll(commands: readonly Command[], width: number, told?: (result: Result) => void): Promise<Result[]>;
