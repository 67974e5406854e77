import { Agent, request } from "node:http";

// Keeps `inFlight` requests open until its standard input ends, then prints how many were answered
// with which status. A process of its own: what it costs must not be taken for time that the
// service took. Its one argument: {url, method, headers, body, inFlight, addresses}.
const plan = JSON.parse(process.argv[2] ?? "{}");
const agent = new Agent({ keepAlive: true, maxSockets: plan.inFlight });
const answered = {};
let isOver = false;
let count = 0;

function send() {
  if (isOver) return;
  count += 1;
  const from = plan.addresses[count % plan.addresses.length];
  const headers = {
    ...plan.headers,
    "x-forwarded-for": from,
    ...(plan.body ? { "content-length": Buffer.byteLength(plan.body) } : {}),
  };
  const call = request(plan.url, { method: plan.method, headers, agent }, (response) => {
    answered[response.statusCode] = (answered[response.statusCode] ?? 0) + 1;
    response.resume().once("close", send);
  });
  call.on("error", () => setImmediate(send));
  call.end(plan.body);
}

for (let n = 0; n < plan.inFlight; n++) send();
console.log("started");
process.stdin.resume().once("end", () => {
  isOver = true;
  process.stdout.write(`${JSON.stringify(answered)}\n`, () => process.exit(0));
});
