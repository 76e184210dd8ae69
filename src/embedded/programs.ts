/** A program of the host that stands for a command of an image. */
export interface Program {
  /** Executable of the host, such as the path of `node`. */
  file: string;
  /** Arguments that come before the container's own. */
  args: string[];
}

/**
 * Maps images to programs. `command` is the first word of the container's command, or of an exec or a hook in it;
 * undefined asks for the image's entrypoint. Undefined as answer: the image is not mapped (`known` false: ErrImagePull)
 * or it has no such command (exec fails as a missing executable does).
 */
export interface ProgramRegistry {
  known(image: string): boolean;
  resolve(image: string, command: string | undefined): Program | undefined;
}
