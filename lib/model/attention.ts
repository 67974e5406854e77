/** How far approvals and notifications that wait for a person are counted; this many means “or more”. */
export const ATTENTION_MAX = 100;
