# rocmProfileData's recording is named, with the command that makes a trace of it.
python3 - "$TMP_DIR/run.rpd" <<'END' || { echo "no python3 with sqlite3" >&2; exit 77; }
import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript(
    "CREATE TABLE rocpd_string (id); CREATE TABLE rocpd_op (id); CREATE TABLE rocpd_api (id);"
    "INSERT INTO rocpd_op VALUES (1)")
END
cd "$TMP_DIR" && ptk info run.rpd
