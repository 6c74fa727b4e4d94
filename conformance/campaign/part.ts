/** A part of the campaign: something that is tried again and again with other random numbers. */
export interface PartOptions {
  /** The first of the inputs; the others follow. The same seeds give the same inputs. */
  readonly seed: number;
  /** So many inputs at most. */
  readonly count: number;
  /** No other input is begun after so many seconds. */
  readonly seconds: number;
  /** How many inputs are tried at a time. */
  readonly threads: number;
  /** Whether programs that fail are made small. */
  readonly isReduced: boolean;
  /** Is told of a finding as it comes. */
  finding(text: string): void;
  /** Is told now and then how many inputs there were. */
  progress(count: number): void;
}

export interface PartResult {
  /** Inputs that were tried. */
  readonly count: number;
  /** What they came to: `120 refused, 40 built`. */
  readonly fates: string;
  readonly findings: number;
  /** How one of them is tried again; `SEED` stands for its seed. */
  readonly again: string;
}

export interface Part {
  /** For people: what is tried. */
  readonly about: string;
  run(options: PartOptions): Promise<PartResult>;
}

/** Runs a part. One that cannot go on, since its processes do not start, say, is a finding, and no end of those behind it. */
export async function runToEnd(part: Part, options: PartOptions, again: string): Promise<PartResult> {
  let count = 0;
  let findings = 0;
  try {
    return await part.run({
      ...options,
      finding(text) {
        findings += 1;
        options.finding(text);
      },
      progress(sofar) {
        count = sofar;
        options.progress(sofar);
      },
    });
  } catch (error) {
    options.finding(`it cannot go on: ${error instanceof Error ? error.message : String(error)}`);
    return { count, fates: '', findings: findings + 1, again };
  }
}
