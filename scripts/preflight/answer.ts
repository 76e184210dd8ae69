/** What preflight found out about one feature of the cluster. */
export interface Answer {
  feature: string;
  /** `unknown`: it could not be found out, with the reason as detail; a run that needs it cannot count on it. */
  is: 'yes' | 'no' | 'unknown';
  detail: string;
  /** Without it no scenario can run. */
  needed?: boolean;
}

export const yes = (feature: string, detail: string): Answer => ({ feature, is: 'yes', detail });
export const no = (feature: string, detail: string): Answer => ({ feature, is: 'no', detail });

/** `yes` or `no` by a fact. */
export const answer = (feature: string, fact: boolean, detail: string): Answer => (fact ? yes : no)(feature, detail);

/** The answer of `ask`, or `unknown` with the reason where it throws. */
export async function unlessUnknown(feature: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    return { feature, is: 'unknown', detail: (error as Error).message.split('\n')[0] ?? '' };
  }
}
