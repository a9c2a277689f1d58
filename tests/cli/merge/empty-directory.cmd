mkdir "$TMP_DIR/void"; cd "$TMP_DIR"; ptk merge void
