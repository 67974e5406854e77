"""Makes an agent from a sentence, gives it a file, runs it once whatever happens in between, and prints the answer."""

import sys

from lathe_client import Lathe, LatheApiError, LatheRunError

DESCRIPTION = "An agent that answers questions about CSV files."
QUESTION = "What is the mean of the column price in prices.csv?"


def main(description: str = DESCRIPTION, question: str = QUESTION) -> int:
    with Lathe() as lathe:  # LATHE_API_KEY and LATHE_BASE_URL
        try:
            agent_id = lathe.agents.create_and_wait({"input": description}, timeout=300)
            workspace_id = lathe.workspaces.create({"name": "Prices"})["workspace_id"]
            with open("prices.csv", "rb") as file:
                lathe.files.upload(workspace_id, "prices.csv", file)
            # The same key from a second process, or after a crash, finds this run instead of starting another one.
            run = lathe.runs.create_and_wait(
                {"agent_id": agent_id, "workspace_id": workspace_id, "input": {"request": question}},
                idempotency_key=f"prices-{workspace_id}",
                timeout=600,
            )
        except LatheRunError as error:
            print(f"The run failed: {error}", file=sys.stderr)
            return 1
        except LatheApiError as error:
            print(f"{error.service_message} ({error.code}, request {error.request_id})", file=sys.stderr)
            return 1
    print(run["result"]["text"])
    print(f"{run['usage']['credits']} credits", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
