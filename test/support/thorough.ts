/** Whether tests of random runs make all of them: `THOROUGH=1`. */
export const isThorough: boolean = import.meta.env.THOROUGH;

/** The number of random runs of a test: `all` of a thorough run, else what every run of the suite can afford. */
export const runsOf = (all: number, usual: number) => (isThorough ? all : usual);
