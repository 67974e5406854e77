/**
 * What is defined in Python before any code of a guest: how a call is carried out, how it reaches
 * the run's files, and which it leaves. Its names begin with two underscores; a guest that replaces
 * them fools only itself.
 */
export const PRELUDE = `
import os
__lathe_folder = globals().get("__lathe_folder", "/work")
os.makedirs(__lathe_folder, exist_ok=True)
os.chdir(__lathe_folder)

def __lathe_setup(read_for):
    import ast, builtins, importlib, json, runpy, sys, traceback
    from pyodide.code import eval_code_async
    from pyodide.ffi import JsException, to_js
    # What is compiled on the way is no file of the run.
    sys.dont_write_bytecode = True
    work = __lathe_folder
    state = {"before": {}, "saved": {}}

    def key_of(path):
        path = str(path)
        return path[4:] if path.startswith("run:") else path

    def find(path, form):
        own = state["saved"].get(key_of(path))
        if own is not None:
            return own.decode() if form == "text" else bytes(own)
        try:
            found = read_for(str(path), form)
        except JsException as error:
            raise OSError(error.message) from None
        return found if found is None or form == "text" else found.to_bytes()

    class Files:
        """Texts of files of the run and its workspace, by their paths."""
        def __getitem__(self, path):
            text = find(path, "text")
            if text is None:
                raise KeyError(path)
            return text
        def __contains__(self, path):
            return find(path, "text") is not None
        def get(self, path, default=None):
            text = find(path, "text")
            return default if text is None else text
        def __iter__(self):
            raise TypeError("files[path] gives a file's text; files_read lists which there are.")

    def read(path):
        found = find(path, "bytes")
        if found is None:
            raise FileNotFoundError(f"There is no such file: {path}")
        return found

    def save(path, content, append=False):
        if isinstance(content, (bytes, bytearray, memoryview)):
            data = bytes(content)
        else:
            data = (content if isinstance(content, str) else json.dumps(plain(content), \
ensure_ascii=False, indent=1)).encode()
        held = state["saved"].get(key_of(path), b"") if append else b""
        state["saved"][key_of(path)] = held + data
        return len(data)

    def run_script(path, *args):
        """Runs a file of its folder as a command line would; its own folder is importable."""
        path = str(path).removeprefix("skill:").removeprefix("run:")
        if not os.path.isfile(path):
            raise FileNotFoundError(f"{path} is not in the folder: name it, or its skill, in \
files.")
        argv, places, known = sys.argv, list(sys.path), set(sys.modules)
        # Files that came a moment ago are not in what Python remembers of folders.
        importlib.invalidate_caches()
        sys.argv = [path, *map(str, args)]
        sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as ended:
            if ended.code not in (None, 0):
                raise RuntimeError(f"{path} ended with {ended.code}") from None
        finally:
            sys.argv, sys.path[:] = argv, places
            # Another script's neighbour may have the same name.
            for name in set(sys.modules) - known:
                if is_of_folder(sys.modules[name]):
                    del sys.modules[name]

    def is_of_folder(module):
        place = getattr(module, "__file__", None)
        # A package without a file of its own has its folders.
        places = [place] if place else list(getattr(module, "__path__", ()))
        root = os.path.join(os.path.realpath(work), "")
        return any(os.path.realpath(str(place)).startswith(root) for place in places)

    space = {"__name__": "__main__", "__builtins__": builtins}
    given = {"files": Files(), "read": read, "save": save, "run_script": run_script}

    def stamp():
        found = {}
        for folder, _, names in os.walk(work):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    facts = os.stat(path)
                    found[os.path.relpath(path, work)] = (facts.st_mtime_ns, facts.st_size)
        return found

    def begin():
        state["saved"] = {}
        state["before"] = stamp()
        for name, value in given.items():
            space.setdefault(name, value)

    def plain(value):
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return value if value == value and abs(value) != float("inf") else str(value)
        if isinstance(value, dict):
            return {str(key): plain(item) for key, item in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [plain(item) for item in value]
        for name in ("tolist", "isoformat"):
            if hasattr(value, name):
                return plain(getattr(value, name)())
        return str(value)

    async def execute(code, limit):
        try:
            value = await eval_code_async(code, globals=space, filename="<code>")
            text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False)
        except BaseException as error:
            lines = [f"line {frame.lineno}" for frame in traceback.extract_tb(error.__traceback__) \
if frame.filename == "<code>"]
            place = f" ({lines[-1]})" if lines else ""
            if not lines and isinstance(error, SyntaxError) and error.lineno:
                place = f" (line {error.lineno})"
            return json.dumps({"error": f"{type(error).__name__}: {error}"[:2000] + place})
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
        return json.dumps({"result": text[:limit], "cut": len(text) > limit})

    def end(most, most_bytes):
        before = state["before"]
        whole = dict(state["saved"])
        changed = sorted(path for path, facts in stamp().items() if before.get(path) != facts)
        # Counted before they are read: what is too much is not held twice.
        count = len(whole.keys() | set(changed))
        if count > most:
            return f"{count} files were saved; one call keeps at most {most}."
        size = sum(map(len, whole.values())) + sum(os.stat(os.path.join(work, path)).st_size for \
path in changed if path not in whole)
        if size > most_bytes:
            return f"The files that were saved have {size} bytes; {most_bytes} is the most."
        for path in changed:
            if path not in whole:
                with open(os.path.join(work, path), "rb") as file:
                    whole[path] = file.read()
        state["saved"] = {}
        return to_js([[path, to_js(data)] for path, data in whole.items()])

    return begin, execute, end
`;
