"""The reader's rule of docs/log-protocol.md in another language: prints how many commits a log has, and their ids."""
import hashlib, json, os, sys

folder, ids, prev, segment, sealed = sys.argv[1], [], "", 1, True
while sealed and os.path.exists(path := f"{folder}/{segment:06}.jsonl"):
    sealed = False
    for line in open(path, "rb").read().split(b"\n")[:-1]:
        try:
            commit = json.loads(line.decode("utf-8"))
            version, chained = commit["version"], commit["prev"]
        except (ValueError, KeyError, TypeError):
            continue
        if version <= len(ids):
            continue
        if version != len(ids) + 1 or chained != prev:
            sys.exit(f"damage in {path}: {line[:80]}")
        ids.append(commit["id"])
        prev = hashlib.sha256(line).hexdigest()
        sealed = [event["type"] for event in commit["events"]] == ["segment.sealed"]
        if sealed:
            break
    segment += 1
print(len(ids), " ".join(ids))
