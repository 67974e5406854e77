/** The answer to a started edit (specification §2.3). */
export interface EditRun {
  run_id: string;
  agent_id: string;
  status: string;
}
