/** What the truth says of a requirement: kept, broken, too close to its bound to tell, or not tried by this history. */
export type Truly = 'holds' | 'broken' | 'close' | 'untried';

export const either = (broken: boolean, holds: boolean): Truly => (broken ? 'broken' : holds ? 'holds' : 'close');
