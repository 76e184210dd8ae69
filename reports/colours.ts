import pc from 'picocolors';

const { FORCE_COLOR: forced, NO_COLOR: refused } = process.env;

/** Colours for a terminal, and none where the output goes into a file or a pipe, on a CI machine too. */
export const colours = pc.createColors(
  !refused && (forced === undefined ? Boolean(process.stdout.isTTY) : forced !== '0' && forced !== ''),
);
