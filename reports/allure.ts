import { AllureReporter } from 'allure-playwright';

/**
 * Allure's reporter, which would end the whole run with an unhandled rejection where the disk is full. Here it tells that
 * once and the other reports go on.
 */
export default class Allure extends AllureReporter {
  #failed = false;

  override onBegin(...args: Parameters<AllureReporter['onBegin']>): void {
    void this.#guard(() => super.onBegin(...args));
  }

  override onTestEnd(...args: Parameters<AllureReporter['onTestEnd']>): Promise<void> {
    return this.#guard(() => super.onTestEnd(...args));
  }

  override addSkippedResults(): Promise<void> {
    return this.#guard(() => super.addSkippedResults());
  }

  override onEnd(): Promise<void> {
    return this.#guard(() => super.onEnd());
  }

  async #guard(work: () => void | Promise<void>): Promise<void> {
    if (this.#failed) return;
    try {
      await work();
    } catch (error) {
      this.#failed = true;
      console.error(`no Allure results from here on: ${(error as Error).message}`);
    }
  }
}
