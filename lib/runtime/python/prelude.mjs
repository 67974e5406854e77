/**
 * What is defined in Python before any code of a guest: how a call is carried out, and which files
 * it has left. Its names begin with two underscores; a guest that replaces them fools only itself.
 */
export const PRELUDE = `
import ast, json, os, sys

os.makedirs("/work", exist_ok=True)
os.chdir("/work")

def __lathe_setup():
    import builtins
    from pyodide.code import eval_code_async
    state = {"before": {}}
    space = {"__name__": "__main__", "__builtins__": builtins}

    def stamp():
        found = {}
        for folder, _, names in os.walk("/work"):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    facts = os.stat(path)
                    found[os.path.relpath(path, "/work")] = (facts.st_mtime_ns, facts.st_size)
        return found

    def begin():
        state["before"] = stamp()

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
            import traceback
            lines = [f"line {frame.lineno}" for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<code>"]
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
        changed = sorted(path for path, facts in stamp().items() if before.get(path) != facts)
        if len(changed) > most:
            return json.dumps({"paths": [], "problem": f"{len(changed)} files were written; one call keeps at most {most}."})
        size = sum(os.stat(os.path.join("/work", path)).st_size for path in changed)
        if size > most_bytes:
            return json.dumps({"paths": [], "problem": f"The files that were written have {size} bytes; {most_bytes} is the most."})
        return json.dumps({"paths": changed})

    return begin, execute, end

__lathe_begin, __lathe_execute, __lathe_end = __lathe_setup()
`;
