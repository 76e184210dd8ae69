import { startProgram } from '../program.ts';

// Stands for any container that does nothing: lives until SIGTERM or SIGINT, then ends with 0.
startProgram();
const keepAlive = setInterval(() => undefined, 2 ** 30);
const end = () => {
  clearInterval(keepAlive);
  process.exit(0);
};
process.on('SIGTERM', end);
process.on('SIGINT', end);
