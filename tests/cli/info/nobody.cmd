# an instant that no process and no thread has done, as PyTorch's "Record Window End"
echo '[{"ph":"i","name":"Record Window End","pid":"","tid":"","ts":2,"s":"g"},{"ph":"X","name":"f","pid":1,"tid":1,"ts":1,"dur":2}]' |
    ptk info - | grep instants
