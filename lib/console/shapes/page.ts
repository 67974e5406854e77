/** A list as every list route answers it (contract §1). */
export interface Page<Row> {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
}
