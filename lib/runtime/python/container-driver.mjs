/**
 * What Python itself runs inside a container, in place of `child.mjs`: the same frames with the
 * service, the same surface for a guest's code (`prelude.mjs`), on CPython with whatever packages
 * the image has. Its argument is the folder that the code works in.
 *
 * Its first process only watches: when nobody holds the other end of its standard input any more,
 * or after hours, it ends, and the container with all that is in it. So an endless loop does not
 * outlive a service that died without a word.
 *
 * The container is the wall here. A guest that writes frames of its own says nothing to the service
 * that its code could not have said by `save` and its result.
 */
export const CONTAINER_DRIVER = `
import os, select, signal, time

WATCHED_MAX_SECONDS = 6 * 3600

def watch(worker):
    def finish(*_):
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        os._exit(0)
    def reap(*_):
        try:
            while True:
                ended, _ = os.waitpid(-1, os.WNOHANG)
                if ended == worker:
                    os._exit(0)
                if ended == 0:
                    return
        except ChildProcessError:
            os._exit(0)
    # A first process that says nothing of a signal does not hear it.
    signal.signal(signal.SIGTERM, finish)
    signal.signal(signal.SIGCHLD, reap)
    reap()
    closed = select.poll()
    closed.register(0, 0)
    until = time.monotonic() + WATCHED_MAX_SECONDS
    while time.monotonic() < until:
        if closed.poll(60_000):
            break
    finish()

nothing = os.open(os.devnull, os.O_RDWR)
worker = os.fork()
if worker:
    # What is told is the other one's to hear, and to say.
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    watch(worker)

import ast, asyncio, inspect, io, json, sys, types

frames_in, frames_out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
os.dup2(nothing, 0)
os.dup2(nothing, 1)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (3600, 3600))
except (ImportError, ValueError, OSError):
    pass

def write_frame(header, payload=b""):
    frames_out.write(json.dumps({**header, "bytes": len(payload)}).encode() + b"\\n" + payload)
    frames_out.flush()

def read_frame():
    line = frames_in.readline()
    if not line:
        os._exit(0)
    header = json.loads(line)
    return header, frames_in.read(header["bytes"])

class Refused(Exception):
    @property
    def message(self):
        return str(self)

class Bytes(bytes):
    def to_bytes(self):
        return bytes(self)

def read_for(path, form):
    write_frame({"read": path, "as": form})
    header, payload = read_frame()
    if header.get("error") is not None:
        raise Refused(header["error"])
    if header.get("found") is False:
        return None
    return payload.decode() if form == "text" else Bytes(payload)

async def eval_code_async(code, globals, filename):
    tree = ast.parse(code, filename)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    value = eval(compile(tree, filename, "exec", flags=flags), globals)
    if inspect.iscoroutine(value):
        await value
    if last is None:
        return None
    value = eval(compile(last, filename, "eval", flags=flags), globals)
    return await value if inspect.iscoroutine(value) else value

# What the prelude takes from Pyodide.
for name, parts in {
    "pyodide": {},
    "pyodide.code": {"eval_code_async": eval_code_async},
    "pyodide.ffi": {"JsException": Refused, "to_js": lambda value: value},
}.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(parts)

prelude, folder = sys.argv[1:3]
sys.argv = [""]
space = {"__lathe_folder": folder}
exec(prelude, space)
begin, execute, end = space["__lathe_setup"](read_for)
for name in ("pyodide", "pyodide.code", "pyodide.ffi"):
    del sys.modules[name]
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)

class Log(io.TextIOBase):
    def __init__(self, limit):
        self.limit, self.text, self.cut = limit, "", False
    def writable(self):
        return True
    def write(self, text):
        if not self.cut:
            self.cut = len(self.text) + len(text) > self.limit
            self.text = (self.text + text)[:self.limit]
        return len(text)

def run(call):
    log = Log(call["outputMaxCharacters"])
    sys.stdout = sys.stderr = log
    try:
        for path in call["paths"]:
            content = read_for(path, "bytes")
            if content is None:
                raise FileNotFoundError(f"There is no such file: {path}")
            place = os.path.join(folder, path.removeprefix("run:").removeprefix("skill:"))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(content)
        begin()
        answer = json.loads(loop.run_until_complete(execute(call["code"], \
call["outputMaxCharacters"])))
        if "error" not in answer:
            saved = end(call["filesMax"], call["filesMaxBytes"])
            if isinstance(saved, str):
                answer["problem"] = saved
            else:
                for path, content in saved:
                    write_frame({"save": path}, content)
    except BaseException as error:
        answer = {"error": str(error)[-2000:] or type(error).__name__}
    answer["log"] = {"text": log.text, "cut": log.cut}
    write_frame({"answer": True}, json.dumps(answer).encode())

# What went wrong until here is told there; a guest says nothing but frames.
os.dup2(nothing, 2)
write_frame({"answer": True})
while True:
    run(read_frame()[0])
`;
