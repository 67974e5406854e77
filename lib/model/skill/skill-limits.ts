/** Most custom skills of one account: a run is told of each that is enabled. */
export const SKILLS_MAX_ROWS = 500;
