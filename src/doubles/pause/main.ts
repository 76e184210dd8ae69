import { startProgram } from '../program.ts';

// Stands for any container that does nothing: lives until SIGTERM or SIGINT, then ends with 0. It listens for them before
// its first sign of life, so that whoever has seen that may send them.
const end = () => process.exit(0);
process.on('SIGTERM', end);
process.on('SIGINT', end);
setInterval(() => undefined, 2 ** 30);
startProgram();
